/** Access control. Every route declares its access, or the store does not start; the guards enforce it. */

import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { foldEmail } from '../../contract/email.ts';
import type { Actor } from '../activity/activity.ts';
import type { Db } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';
import { hasNamedAdmins, isAdmin, isListedUnverified, isNamedAdmin } from '../sign-in/admins.ts';
import { type CookiePolicy, readSessionId } from '../sign-in/session-cookie.ts';
import { type Customer, type FindSession, findCustomer, type SessionPolicy } from '../sign-in/sessions.ts';
import { admitOperator } from './operator.ts';
import { findToken, isTokenSecret, type Scope } from './tokens.ts';

/** `owner`: the customer whose e-mail the path has. `admin`: may change the catalogue. `desk`: may see all orders. `operator`: monitors. */
export type Access = 'public' | 'customer' | 'owner' | 'admin' | 'desk' | 'operator';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    scope?: Scope;
  }
  interface FastifyRequest {
    /** The customer is set on routes whose access needs a session, unless the request has a token instead. */
    customer: Customer | null;
    token: string | null;
  }
  interface FastifyInstance {
    /** The access by method and pattern, such as `GET /book/:id`; complete when the app is ready. */
    declaredAccess: Readonly<Record<string, Access>>;
    declaredScopes: Readonly<Record<string, Scope>>;
  }
}

type SessionParts = { db: Db; cookies: CookiePolicy; sessionPolicy: SessionPolicy; findSession: FindSession };

type GuardParts = SessionParts & {
  ownOrigins: readonly string[];
  settings: { metricsToken: string | undefined; isDemo: boolean };
};

export const isEmailOf = (customer: Customer, email: string): boolean =>
  foldEmail(customer.email) === foldEmail(email.trim());

/** Guards every route that is registered after the call. `app.ready()` throws for a route that declares no access. */
export function guardRoutes(app: FastifyInstance, parts: GuardParts): void {
  const { db, sessionPolicy, ownOrigins, settings } = parts;
  app.decorateRequest('customer', null);
  app.decorateRequest('token', null);

  const routes: RouteOptions[] = [];
  const declaredAccess: Record<string, Access> = {};
  const declaredScopes: Record<string, Scope> = {};
  app.decorate('declaredAccess', declaredAccess);
  app.decorate('declaredScopes', declaredScopes);
  app.addHook('onRoute', (route) => void routes.push(route));
  // The check waits for `onReady`: a plugin may declare the access of its routes in an `onRoute` hook that runs after the one above.
  app.addHook('onReady', async () => {
    for (const { method, url, config } of routes) {
      for (const name of [method].flat()) {
        if (config?.access === undefined) throw new Error(`${name} ${url} declares no access`);
        declaredAccess[`${name} ${url}`] = config.access;
        if (config.scope) declaredScopes[`${name} ${url}`] = config.scope;
      }
    }
  });

  app.addHook('onRequest', (request, reply, done) => {
    const { access } = request.routeOptions.config;
    if (isCrossSite(request, access, ownOrigins)) return done(new Problem('CROSS_SITE_REQUEST'));
    // Most requests end here, so the hook takes a callback: a promise would cost each of them some time.
    if (access === undefined || access === 'public') return done();
    // A shared cache would send one customer's response to others: it checks no session.
    reply.header('cache-control', 'private, no-store');
    admit(request, access).then(() => done(), done);
  });

  async function admit(request: FastifyRequest, access: Exclude<Access, 'public'>): Promise<void> {
    if (access === 'operator') return admitOperator(request.raw, settings.metricsToken);
    // RFC 6750, section 2.1.
    const [, secret = ''] = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? [];
    if (isTokenSecret(secret)) {
      const token = await findToken(db, secret);
      if (!token) throw new Problem('TOKEN_INVALID');
      request.token = token.name;
      if (request.routeOptions.config.scope !== token.may) throw new Problem('NOT_ALLOWED');
      return;
    }
    const customer = await customerOf(request, parts);
    if (!customer) throw new Problem('SIGN_IN_REQUIRED');
    request.customer = customer;

    if (access === 'owner' && !isEmailOf(customer, emailIn(request))) throw new Problem('NOT_ALLOWED');
    if (access === 'admin' && !isAdmin(customer, sessionPolicy)) throw refusalOf(customer, {});
    if (access === 'desk' && !mayUseDesk(customer)) throw refusalOf(customer, { detail: deskDetail });
  }

  /** The desk has customers' data: in a shop it is for the admins that a setting names, and without one it is closed. */
  const mayUseDesk = (customer: Customer): boolean =>
    hasNamedAdmins(sessionPolicy) ? isNamedAdmin(customer, sessionPolicy) : settings.isDemo;

  /** The store tells a customer about an unverified e-mail only if ADMIN_EMAILS has that e-mail. */
  const refusalOf = (customer: Customer, details: { detail?: string }): Problem =>
    isListedUnverified(customer, sessionPolicy)
      ? new Problem('EMAIL_NOT_VERIFIED', { detail: unverifiedDetail })
      : new Problem('NOT_ALLOWED', details);
}

export async function customerOf(
  request: FastifyRequest,
  { db, cookies, sessionPolicy, findSession }: SessionParts,
): Promise<Customer | undefined> {
  if (request.customer) return request.customer;
  const sessionId = readSessionId(request, cookies);
  if (sessionId === undefined) return undefined;
  return await findCustomer(db, sessionId, sessionPolicy, Date.now(), findSession);
}

export function signedInCustomer(request: FastifyRequest): Customer {
  if (!request.customer) throw new Problem('SIGN_IN_REQUIRED');
  return request.customer;
}

export function actorOf(request: FastifyRequest): Actor {
  const { token, ip: address } = request;
  if (token !== null) return { customerId: null, email: null, token, address };
  const { id, email } = signedInCustomer(request);
  return { customerId: id, email, address };
}

const deskDetail = 'The desk is for the admins that ADMIN_EMAILS or ADMIN_CLAIM names.';

const unverifiedDetail =
  'It is named as an admin’s, but the sign-in provider did not say that its e-mail is verified. Ask the person who looks after the sign-in of this shop.';

const emailIn = ({ params }: FastifyRequest): string =>
  typeof params === 'object' && params && 'email' in params ? String(params.email) : '';

/**
 * A page of another site must not use the session's cookie to change anything, nor to download the desk's exports by a link. Where a browser
 * sends no Fetch Metadata, as to a plain http address, the Origin decides; a client without either is no browser.
 */
function isCrossSite(
  { method, headers }: FastifyRequest,
  access: Access | undefined,
  ownOrigins: readonly string[],
): boolean {
  const { 'sec-fetch-site': site, origin } = headers;
  const isOwn = origin !== undefined && ownOrigins.includes(origin);
  if (['GET', 'HEAD', 'OPTIONS'].includes(method)) {
    return access === 'desk' && ![undefined, 'none', 'same-origin'].includes(site) && !isOwn;
  }
  if (site === 'same-origin' || (site === undefined && origin === undefined)) return false;
  return ![undefined, 'same-site', 'cross-site'].includes(site) || !isOwn;
}
