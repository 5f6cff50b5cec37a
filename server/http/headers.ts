import type { FastifyInstance } from 'fastify';
import { requestIdHeader } from './request-ids.ts';

/** @param isSecure whether browsers come over https: only then may the store demand it (RFC 6797, section 7.2). */
export const securityHeaders = ({ isSecure }: { isSecure: boolean }): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  // This policy protects data that a browser shows as a page after all. The store's pages replace it with their own.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  // A page of another site cannot load data as an image or a script. Images of the store replace it.
  'cross-origin-resource-policy': 'same-origin',
  ...(isSecure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
});

export function setHeaders(app: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header(requestIdHeader, request.id);
    done();
  });
}

export const cachedForAYear = 'public, max-age=31536000, immutable';

type PageSources = { connect?: readonly string[]; images?: readonly string[]; hasCamera?: boolean };

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
