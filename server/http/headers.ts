/** The headers that every answer carries, and those that a page adds. Written out: a default of others fits nobody. */

import type { FastifyInstance } from 'fastify';

/** @param isSecure whether browsers reach the store by https; only then may it insist on that. */
export function setHeaderPolicy(app: FastifyInstance, { isSecure }: { isSecure: boolean }): void {
  const onEveryAnswer = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    // What is no page needs nothing, should a browser ever show it as one. Pages write their own over it.
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...(isSecure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(onEveryAnswer);
    done();
  });
}

/**
 * The policy of a page.
 * @param hosts origins besides the store's own that the page's scripts talk to.
 */
export const pagePolicy = (hosts: readonly string[] = []) => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    // A book's image may live with any https host.
    "img-src 'self' https:",
    ["connect-src 'self'", ...hosts].join(' '),
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  // The sign-in popup is another site's for a while; `same-origin` would cut it off.
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
});
