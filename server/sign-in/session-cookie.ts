import '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { absoluteLimitMs } from './sessions.ts';

/** `isSecure`: true if browsers come over https. */
export type CookiePolicy = { isSecure: boolean };

/** @returns the cookie's name; over https it has the prefix `__Host-` (RFC 6265bis, section 4.1.3.2). */
export const cookieName = ({ isSecure }: CookiePolicy, name: string): string =>
  isSecure ? `__Host-${name}` : name;

/** The attributes of the cookie, which must be the same when it is cleared. */
export const cookieAttributes = ({ isSecure }: CookiePolicy) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure }) as const;

const sessionCookie = 'colophon-session';

export const sessionCookieName = (policy: CookiePolicy): string => cookieName(policy, sessionCookie);

export const readSessionId = (request: FastifyRequest, policy: CookiePolicy): string | undefined =>
  request.cookies[sessionCookieName(policy)] || undefined;

export const setSessionCookie = (reply: FastifyReply, policy: CookiePolicy, sessionId: string) =>
  reply.setCookie(sessionCookieName(policy), sessionId, {
    ...cookieAttributes(policy),
    maxAge: absoluteLimitMs / 1000,
  });

export const clearSessionCookie = (reply: FastifyReply, policy: CookiePolicy) =>
  reply.clearCookie(sessionCookieName(policy), cookieAttributes(policy));
