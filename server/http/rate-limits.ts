/** Limits of requests per client and, for a signed-in customer, per account. A route declares the limit that it has. */

import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { Problem } from './problems.ts';

type Limit = {
  perClient: number;
  perAccount?: number;
  /** @returns true for a request of the route that counts. Without it all of them do. */
  counts?: (request: FastifyRequest) => boolean;
};

/**
 * Requests per minute. No person comes near them, nor does a class of thirty behind one address; a loop exceeds them
 * within seconds. A client is an address, which many people may share, so its limits are higher than an account's.
 */
export const limits = {
  'sign-ins': { perClient: 300 },
  // Counted apart: a flood of sign-ins must not keep people behind the same address from ending their sessions.
  'sign-outs': { perClient: 300 },
  callbacks: { perClient: 300 },
  // Sent by the identity provider, for all customers from one address.
  logouts: { perClient: 1_800 },
  orders: { perClient: 1_800, perAccount: 600 },
  uploads: { perClient: 240, perAccount: 60 },
  'catalogue-changes': { perClient: 1_800, perAccount: 600 },
  // The response cache answers each address that has neither a query nor a parameter, however it is spelt.
  searches: {
    perClient: 1_800,
    perAccount: 600,
    counts: ({ url, routeOptions }) => url.includes('?') || routeOptions.url?.includes(':') === true,
  },
  desk: { perClient: 1_800, perAccount: 600 },
  // Programs that show previews of links ask for one of each.
  cards: { perClient: 60 },
  // The feed counts too. Enough for the files of a million books; the index and the feed come from the response cache.
  sitemaps: { perClient: 300 },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof limits;

export const limitCounters = Object.entries<Limit>(limits).flatMap(([limit, { perAccount }]) => [
  { limit, by: 'client' },
  ...(perAccount === undefined ? [] : [{ limit, by: 'account' }]),
]);

declare module 'fastify' {
  interface FastifyContextConfig {
    limit?: LimitName;
  }
}

type RateLimitParts = {
  /** @returns an id of the account of a request, also on a route that anyone may call; undefined without a session. */
  accountOf(request: FastifyRequest): Promise<string | undefined>;
  onRefused(limit: LimitName, by: 'client' | 'account'): void;
  /** The share of each limit that holds; 1 but for tests. */
  scale?: number | undefined;
};

/**
 * Counters of a minute, in this process's memory; of each limit there are 5,000, and the one that was used longest ago is dropped. Each
 * function limits the routes that are registered later: a refused request gets TOO_MANY_REQUESTS, with `Retry-After`.
 */
export async function openRateLimits(
  app: FastifyInstance,
  { accountOf, onRefused, scale = 1 }: RateLimitParts,
) {
  await app.register(rateLimit, { global: false });
  const warn = warnOfUntrustedProxy();

  function limitBy(by: 'client' | 'account', keyOf: (request: FastifyRequest) => string | Promise<string>) {
    // The empty key is none: such a request is not counted. The type of the plugin's options leaves `cache` out.
    const options = { timeWindow: 60_000, keyGenerator: keyOf, allowList: [''], cache: 5_000 };
    const counters = new Map(
      Object.entries<Limit>(limits).flatMap(([name, { perClient, perAccount }]) => {
        const max = by === 'client' ? perClient : perAccount;
        return max === undefined ? [] : [[name, app.createRateLimit({ ...options, max: max * scale })]];
      }),
    );
    // By a callback: a request without a limit waits for no promise.
    app.addHook('onRequest', (request, _reply, done) => {
      const { limit } = request.routeOptions.config;
      const count = limit && counters.get(limit);
      const { counts }: Partial<Limit> = limit ? limits[limit] : {};
      if (!count || counts?.(request) === false) return done();
      if (by === 'client') warn(request);
      count(request).then((counted) => {
        if (counted.isAllowed || !counted.isExceeded) return done();
        onRefused(limit, by);
        done(new Problem('TOO_MANY_REQUESTS', { retryAfterS: counted.ttlInSeconds }));
      }, done);
    });
  }

  return {
    /**
     * Call it before the guards, so that a client beyond its limit costs no look at the database. From then on the app throws for a
     * route that changes something and declares no limit.
     */
    limitClients() {
      app.addHook('onRoute', requireLimit);
      // The address is missing when the connection has ended meanwhile. One client has all addresses of a network (/64) of IPv6.
      limitBy('client', ({ ip }: { ip?: string }) => normalizeIP(ip ?? '', 64));
    },
    limitAccounts() {
      limitBy('account', async (request) => (await accountOf(request)) ?? '');
    },
  };
}

function requireLimit({ method, url, config }: RouteOptions): void {
  const isRead = [method].flat().every((name) => ['GET', 'HEAD', 'OPTIONS'].includes(name));
  if (!isRead && config?.limit === undefined) throw new Error(`${method} ${url} declares no limit`);
}

/** @returns a function that logs a warning, once, when a request comes through a proxy that `TRUST_PROXY` does not name. */
function warnOfUntrustedProxy(): (request: FastifyRequest) => void {
  let hasWarned = false;
  return ({ headers, ip, ips, log }) => {
    if (hasWarned || (headers['x-forwarded-for'] ?? headers.forwarded) === undefined) return;
    // The address of a trusted proxy is followed by the one that it sends, which may be the same: a client on its machine.
    if ((ips?.length ?? 1) > 1) return;
    hasWarned = true;
    log.warn(
      { peer: ip },
      'Requests come through a proxy that TRUST_PROXY does not name, so its visitors share the limits of one client. ' +
        'Set TRUST_PROXY to the network of the proxy, and let the proxy send X-Forwarded-For.',
    );
  };
}
