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

/** Each limit and what it counts requests by. */
export const limitCounters = Object.entries<Limit>(limits).flatMap(([limit, { perAccount }]) => [
  { limit, by: 'client' },
  ...(perAccount === undefined ? [] : [{ limit, by: 'account' }]),
]);

declare module 'fastify' {
  interface FastifyContextConfig {
    limit?: LimitName;
  }
}

const windowMs = 60_000;

type RateLimitParts = {
  /** @returns an id of the account of a request, also on a route that anyone may call; undefined without a session. */
  accountOf(request: FastifyRequest): Promise<string | undefined>;
  /** Called for each request that is refused. */
  onRefused(limit: LimitName, by: 'client' | 'account'): void;
  /** The share of each limit that holds; 1 but for tests. */
  scale?: number | undefined;
};

/** Each limits the routes that are registered later; a refused request gets TOO_MANY_REQUESTS, with `Retry-After`. */
type RateLimits = {
  /**
   * Call it before the guards, so that a client beyond its limit costs no look at the database. From then on the app
   * throws for a route that changes something and declares no limit.
   */
  limitClients(): void;
  /** Call it after the guards, which find the account. */
  limitAccounts(): void;
};

/** Each limit has so many; the one that was used longest ago is dropped. */
const maxCounters = 5_000;

/** The counters are in this process's memory. */
export async function openRateLimits(
  app: FastifyInstance,
  { accountOf, onRefused, scale = 1 }: RateLimitParts,
): Promise<RateLimits> {
  await app.register(rateLimit, { global: false });
  const perClient = openCounters('perClient', ({ ip }) => clientOf(ip));
  const perAccount = openCounters('perAccount', async (request) => (await accountOf(request)) ?? '');

  /** A counter for each limit, and for each key of it. */
  function openCounters(
    maximum: 'perClient' | 'perAccount',
    keyOf: (request: FastifyRequest) => string | Promise<string>,
  ) {
    const open = (max: number) => {
      // The empty key is none: such a request is not counted. The type of the plugin's options leaves `cache` out.
      const options = {
        timeWindow: windowMs,
        keyGenerator: keyOf,
        allowList: [''],
        max,
        cache: maxCounters,
      };
      return app.createRateLimit(options);
    };
    return new Map(
      Object.entries<Limit>(limits).flatMap(([name, { [maximum]: max }]) =>
        max === undefined ? [] : [[name, open(max * scale)]],
      ),
    );
  }

  const warn = warnOfUntrustedProxy();

  /** @returns undefined where no limit applies, so that such a request waits for no promise. */
  function check(request: FastifyRequest, by: 'client' | 'account'): Promise<void> | undefined {
    const { limit } = request.routeOptions.config;
    if (limit === undefined) return undefined;
    const { counts }: Limit = limits[limit];
    const count = (by === 'client' ? perClient : perAccount).get(limit);
    if (!count || counts?.(request) === false) return undefined;
    if (by === 'client') warn(request);
    return count(request).then((counted) => {
      if (counted.isAllowed || !counted.isExceeded) return;
      onRefused(limit, by);
      throw new Problem('TOO_MANY_REQUESTS', { retryAfterS: counted.ttlInSeconds });
    });
  }

  type Hook = (request: FastifyRequest, reply: unknown, done: (error?: Error) => void) => void;
  const checkBy =
    (by: 'client' | 'account'): Hook =>
    (request, _reply, done) => {
      const checked = check(request, by);
      if (!checked) return done();
      checked.then(() => done(), done);
    };
  return {
    limitClients() {
      app.addHook('onRoute', requireLimit);
      app.addHook('onRequest', checkBy('client'));
    },
    limitAccounts() {
      app.addHook('onRequest', checkBy('account'));
    },
  };
}

/** @throws for a route that changes something and declares no limit. */
function requireLimit({ method, url, config }: RouteOptions): void {
  const isRead = [method].flat().every((name) => ['GET', 'HEAD', 'OPTIONS'].includes(name));
  if (!isRead && config?.limit === undefined) throw new Error(`${method} ${url} declares no limit`);
}

/**
 * @param ip undefined when the connection has ended in the meantime.
 * @returns the address; of IPv6 the network (/64), of which one client has all addresses.
 */
const clientOf = (ip: string | undefined): string => normalizeIP(ip ?? '', 64);

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
