/** Security headers: those of every response, and those that a page adds. No library's defaults fit both. */

import type { FastifyInstance } from 'fastify';

/**
 * The security headers of every response.
 * @param isSecure whether browsers reach the store over https: only then may it demand https (RFC 6797, section 7.2).
 * @returns header values by lower-case name.
 */
export const securityHeaders = ({ isSecure }: { isSecure: boolean }): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  // For data that a browser shows as a page after all. The store's pages replace it with their own policy.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  // A page of another site cannot load data as an image or a script, to measure it or to read it from its own process.
  // Requests with CORS, as those of an allowed origin, are not concerned. Images of the store replace it.
  'cross-origin-resource-policy': 'same-origin',
  ...(isSecure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
});

/** Sets the headers of every response of the app that has routes or a not-found handler. */
export function setHeaderPolicy(app: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

type PageSources = {
  /** Origins, besides the store's own, that the page's scripts may send requests to. */
  connect?: readonly string[];
  /** Origins or schemes, besides the store's own origin, that the page's images may come from. */
  images?: readonly string[];
  /** The page may ask for the camera. */
  hasCamera?: boolean;
};

/**
 * The security headers of a page: Content-Security-Policy, Cross-Origin-Opener-Policy, Permissions-Policy.
 * @returns header values by lower-case name.
 */
export const pagePolicy = ({ connect = [], images = [], hasCamera = false }: PageSources = {}) => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    ["img-src 'self'", ...images].join(' '),
    ["connect-src 'self'", ...connect].join(' '),
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  // The sign-in popup shows another site for a while; `same-origin` would cut it off from this page.
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'permissions-policy': `camera=(${hasCamera ? 'self' : ''}), geolocation=(), microphone=(), payment=()`,
});
