import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { Problem } from './problems.ts';

type Limit = { perClient: number; perAccount?: number; counts?: (request: FastifyRequest) => boolean };

/** Requests per minute. A client is an address, which a class of thirty may share; a loop exceeds them within seconds. */
export const limits = {
  'sign-ins': { perClient: 300 },
  // A flood of sign-ins must not keep people behind the same address from ending their sessions.
  'sign-outs': { perClient: 300 },
  callbacks: { perClient: 300 },
  logouts: { perClient: 1_800 },
  orders: { perClient: 1_800, perAccount: 600 },
  payments: { perClient: 600, perAccount: 60 },
  // A provider calls from few addresses.
  'payment-webhooks': { perClient: 1_800 },
  uploads: { perClient: 240, perAccount: 60 },
  'catalogue-changes': { perClient: 1_800, perAccount: 600 },
  // The limit does not count addresses without a query or a parameter: the response cache answers them.
  searches: {
    perClient: 1_800,
    perAccount: 600,
    counts: ({ url, routeOptions }) => url.includes('?') || routeOptions.url?.includes(':') === true,
  },
  // The page of a search has its books, and takes a processor for 30 ms.
  pages: { perClient: 600, counts: ({ url }) => url.includes('?') },
  desk: { perClient: 1_800, perAccount: 600 },
  cards: { perClient: 60 },
  sitemaps: { perClient: 300 },
  vitals: { perClient: 600 },
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
  accountOf(request: FastifyRequest): Promise<string | undefined>;
  onRefused(limit: LimitName, by: 'client' | 'account'): void;
  scale?: number | undefined;
};

/** The counters are in this process's memory, 5,000 for each limit. @returns functions that limit the routes that are registered later. */
export async function openRateLimits(
  app: FastifyInstance,
  { accountOf, onRefused, scale = 1 }: RateLimitParts,
) {
  await app.register(rateLimit, { global: false });

  function limitBy(by: 'client' | 'account', keyOf: (request: FastifyRequest) => string | Promise<string>) {
    // An empty key means that the request is not counted. The type of the plugin's options lacks `cache`.
    const options = { timeWindow: 60_000, keyGenerator: keyOf, allowList: [''], cache: 5_000 };
    const counters = new Map(
      Object.entries<Limit>(limits).flatMap(([name, { perClient, perAccount }]) => {
        const max = by === 'client' ? perClient : perAccount;
        return max === undefined ? [] : [[name, app.createRateLimit({ ...options, max: max * scale })]];
      }),
    );
    app.addHook('onRequest', (request, _reply, done) => {
      const { limit } = request.routeOptions.config;
      const count = limit && counters.get(limit);
      const { counts }: Partial<Limit> = limit ? limits[limit] : {};
      if (!count || counts?.(request) === false) return done();
      count(request).then((counted) => {
        if (counted.isAllowed || !counted.isExceeded) return done();
        onRefused(limit, by);
        done(new Problem('TOO_MANY_REQUESTS', { retryAfterS: counted.ttlInSeconds }));
      }, done);
    });
  }

  return {
    /** Call it before the guards, so that a client beyond its limit costs no look at the database. */
    limitClients() {
      app.addHook('onRoute', requireLimit);
      warnOfUntrustedProxy(app);
      // The address is missing when the connection has ended meanwhile. All addresses of an IPv6 network (/64) count as one client.
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

function warnOfUntrustedProxy(app: FastifyInstance): void {
  let hasWarned = false;
  app.addHook('onRequest', ({ headers, ip, ips = [] }, _reply, done) => {
    const isForwarded = (headers['x-forwarded-for'] ?? headers.forwarded) !== undefined;
    // If the address is that of a trusted proxy, the address that the proxy sends comes next.
    if (isForwarded && ips.length < 2 && !hasWarned) {
      hasWarned = true;
      app.log.warn({ peer: ip }, untrustedProxy);
    }
    done();
  });
}

const untrustedProxy =
  'Requests come through a proxy that TRUST_PROXY does not name, so its visitors share the limits of one client. ' +
  'Set TRUST_PROXY to the network of the proxy, and let the proxy send X-Forwarded-For.';
