/** Security headers: those of every response, and those that a page adds. No library's defaults fit both. */

import type { FastifyInstance } from 'fastify';

/**
 * Sets the security headers of every response of the app.
 * @param isSecure whether browsers reach the store over https: only then may it demand https (RFC 6797, section 7.2).
 */
export function setHeaderPolicy(app: FastifyInstance, { isSecure }: { isSecure: boolean }): void {
  const headers = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    // For data that a browser shows as a page after all. The store's pages replace it with their own policy.
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...(isSecure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

/**
 * The security headers of a page: Content-Security-Policy, Cross-Origin-Opener-Policy, Permissions-Policy.
 * @param hosts origins, besides the store's own, that the page's scripts may send requests to.
 * @returns header values by lower-case name.
 */
export const pagePolicy = (hosts: readonly string[] = []) => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    // A book's image may be on any https host.
    "img-src 'self' https:",
    ["connect-src 'self'", ...hosts].join(' '),
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  // The sign-in popup shows another site for a while; `same-origin` would cut it off from this page.
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
});
