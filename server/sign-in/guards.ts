/** Who may do what. Every route declares its access; the guards read the declaration, so that none can be forgotten. */

import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import type { Db } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';
import { type CookiePolicy, readSessionId } from './session-cookie.ts';
import { type Customer, findCustomer } from './sessions.ts';

/**
 * `public`: anybody. `customer`: a signed-in session. `owner`: a session whose e-mail is the one in the address.
 * `admin`: a session that may change the catalogue.
 */
export type Access = 'public' | 'customer' | 'owner' | 'admin';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyRequest {
    customer: Customer | null;
  }
  interface FastifyInstance {
    /** By method and route, such as `GET /books`; complete when the app is ready. */
    declaredAccess: Readonly<Record<string, Access>>;
  }
}

export type GuardParts = {
  db: Db;
  cookies: CookiePolicy;
  adminEmails: readonly string[];
  /** The origins, the store's own among them, whose pages may change things. */
  writingOrigins: readonly string[];
};

/** Without a list every signed-in user keeps the catalogue (spec section 6); with one, its verified e-mails do. */
export const canChangeCatalogue = (customer: Customer, adminEmails: readonly string[]): boolean =>
  adminEmails.length === 0 ||
  (customer.isEmailVerified && adminEmails.includes(customer.email.toLowerCase()));

export const isEmailOf = (customer: Customer, email: string): boolean =>
  customer.email.toLowerCase() === email.trim().toLowerCase();

/** Puts the guards on every route that is registered after it. */
export function guardRoutes(
  app: FastifyInstance,
  { db, cookies, adminEmails, writingOrigins }: GuardParts,
): void {
  app.decorateRequest('customer', null);

  const routes: RouteOptions[] = [];
  const declaredAccess: Record<string, Access> = {};
  app.decorate('declaredAccess', declaredAccess);
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
  // Not earlier: a plugin may declare the access of what it registers in a hook that runs after this one's.
  app.addHook('onReady', async () => {
    for (const { method, url, config } of routes) {
      for (const name of [method].flat()) {
        if (config?.access === undefined) throw new Error(`${name} ${url} declares no access`);
        declaredAccess[`${name} ${url}`] = config.access;
      }
    }
  });

  app.addHook('onRequest', (request, reply, done) => {
    if (isCrossSiteWrite(request, writingOrigins)) return done(new Problem('CROSS_SITE_REQUEST'));
    const { access } = request.routeOptions.config;
    // Most requests end here, so this hook is no promise to wait for.
    if (access === undefined || access === 'public') return done();
    // What is told to one customer is nothing for a cache on the way, which asks no guard.
    reply.header('cache-control', 'private, no-store');
    admit(request, access).then(() => done(), done);
  });

  /** @throws {Problem} SIGN_IN_REQUIRED or NOT_ALLOWED. */
  async function admit(request: FastifyRequest, access: Exclude<Access, 'public'>): Promise<void> {
    const sessionId = readSessionId(request, cookies);
    const customer = sessionId === undefined ? undefined : await findCustomer(db, sessionId);
    if (!customer) throw new Problem('SIGN_IN_REQUIRED');
    request.customer = customer;

    if (access === 'owner' && !isEmailOf(customer, emailIn(request))) throw new Problem('NOT_ALLOWED');
    if (access === 'admin' && !canChangeCatalogue(customer, adminEmails)) throw new Problem('NOT_ALLOWED');
  }
}

/** The customer on a route whose access is not `public`. */
export function signedInCustomer(request: FastifyRequest): Customer {
  if (!request.customer) throw new Problem('SIGN_IN_REQUIRED');
  return request.customer;
}

const emailIn = ({ params }: FastifyRequest): string =>
  typeof params === 'object' && params && 'email' in params ? String(params.email) : '';

/**
 * Whether a page of another site sent a request that changes something. Fetch Metadata tells in every current browser;
 * the Origin in the others, and where the store is on plain http. What sends neither is no browser and has no cookie
 * that somebody else could ride on.
 */
function isCrossSiteWrite(request: FastifyRequest, writingOrigins: readonly string[]): boolean {
  if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return false;
  const { 'sec-fetch-site': site, origin } = request.headers;
  if (site === 'same-origin') return false;
  if (origin !== undefined) return !writingOrigins.includes(origin);
  return site === 'cross-site' || site === 'same-site';
}
