import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import type { FastifyBaseLogger, FastifyInstance, FastifyPluginAsync } from 'fastify';
import { searchHeaders } from '../contract/book-search.ts';
import { paths } from '../contract/paths.ts';
import { moneyIn } from '../contract/price.ts';
import type { StoreConfig } from '../contract/store-config.ts';
import { mountActs } from './access/act-routes.ts';
import { customerOf, guardRoutes } from './access/guards.ts';
import { acts } from './acts.ts';
import { describeCalls } from './api-description/openapi.ts';
import { apiDescriptionRoutes } from './api-description/routes.ts';
import { findBook } from './catalogue/books.ts';
import { catalogueChangeRoutes } from './catalogue/change-routes.ts';
import { catalogueRoutes } from './catalogue/routes.ts';
import { groupCommit } from './database/group-commit.ts';
import type { Database } from './database/open.ts';
import { isUnavailable } from './database/unavailable.ts';
import { openExports } from './exports/send-export.ts';
import { standInFrontOf } from './front.ts';
import { cachedFor } from './front-table/cached-value.ts';
import { openFront } from './front-table/read-front.ts';
import { frontRoutes } from './front-table/routes.ts';
import * as bodies from './http/bodies.ts';
import {
  type ConnectionTimeouts,
  connectionTimeouts,
  limitConnections,
  stopGracefully,
} from './http/connections.ts';
import { handleErrors } from './http/error-handler.ts';
import { openFramework } from './http/framework.ts';
import { securityHeaders, setHeaders } from './http/headers.ts';
import { cleanForwardedFor, openHosts } from './http/hosts.ts';
import type { Problem } from './http/problems.ts';
import { openRateLimits } from './http/rate-limits.ts';
import { openRequestIds, requestIdHeader } from './http/request-ids.ts';
import { isDebugging, limitLines, logOutages, logRequests } from './http/request-log.ts';
import { openResponseCache } from './http/response-cache.ts';
import { openImageWorker } from './images/image-worker.ts';
import { cardRoutes, imageRoutes } from './images/routes.ts';
import { importRoutes } from './import/routes.ts';
import { isWithoutReceipts, type Mail } from './mail/mail.ts';
import { openMetrics } from './operations/metrics.ts';
import { openReadiness } from './operations/readiness.ts';
import { operationsRoutes } from './operations/routes.ts';
import { orderRoutes } from './orders/routes.ts';
import { countSold } from './orders/sales.ts';
import { openOutbox } from './outbox/record.ts';
import { crawlerRoutes } from './pages/crawler-routes.ts';
import { type PagesParts, pageRoutes } from './pages/routes.ts';
import { openPayments } from './payments/open.ts';
import type { Provider } from './payments/providers.ts';
import { paymentRoutes } from './payments/routes.ts';
import type { Settings } from './settings/settings.ts';
import type { SignInProvider } from './sign-in/provider.ts';
import { sessionRoutes } from './sign-in/routes.ts';
import { sessionCookieName } from './sign-in/session-cookie.ts';
import { findSessions } from './sign-in/sessions.ts';
import type { Webhooks } from './webhooks/sender.ts';

type AppParts = {
  database: Database;
  provider: SignInProvider;
  /** The provider's name on the sign-in button. */
  providerName: string;
  pages: PagesParts['pages'];
  mail: Mail;
  webhooks: Webhooks;
  settings: Settings;
  /** Providers of payments other than those of the settings. */
  paymentProviders?: readonly Provider[] | undefined;
  timeouts?: Partial<ConnectionTimeouts>;
  /** The fraction of each rate limit that applies; it is 1 except in tests. */
  limitScale?: number | undefined;
  log: FastifyBaseLogger;
};

/** Plugins, guards and features, in the order in which they are written here. @throws when a route lacks its access, limit or schema. */
export async function buildApp(given: AppParts): Promise<FastifyInstance> {
  const parts = openParts(given);
  const { settings, metrics } = parts;
  const { trustedProxies } = settings;
  const app = openFramework({ ...parts, trustedProxies, onProblem: metrics.countProblem });
  const onRefused = limitLoad(app, parts);
  const { isBeyondLimit, isStopping } = await addProtocol(app, parts, onRefused);
  await admitRequests(app, parts);
  const routesParts = { ...parts, onRefused, isBeyondLimit, isStopping };
  for (const routes of features) await app.register(routes, routesParts);
  return app;
}

type Parts = ReturnType<typeof openParts>;

function openParts(given: AppParts) {
  const { database, provider, mail, webhooks, settings } = given;
  const { publicUrl, adminEmails, adminClaim, imageOrigins } = settings;
  const { db, listDb, catalogueVersion } = database;
  const isSecure = publicUrl.protocol === 'https:';
  const storeOrigin = publicUrl.origin;
  const hosts = openHosts(settings);
  const imageWorker = openImageWorker();
  const money = moneyIn(settings.currency);
  const outbox = openOutbox(mail, webhooks);
  const onShelfChanged = catalogueVersion.recordLocalChange;
  const paymentParts = { db, settings, outbox, onShelfChanged, log: given.log };
  const payments = openPayments(paymentParts, given.paymentProviders);
  const metrics = openMetrics({ database, mail, webhooks, payments, imageWorker });
  return {
    ...{ ...given, db, listDb, catalogueVersion, hosts, imageWorker, metrics, storeOrigin, imageOrigins },
    timeouts: { ...connectionTimeouts, ...given.timeouts },
    cookies: { isSecure },
    findSession: groupCommit((idHashes: readonly string[]) => findSessions(db, idHashes)),
    sessionPolicy: { providerIssuer: provider.issuer, adminEmails, adminClaim },
    ownOrigins: [storeOrigin, ...settings.allowedOrigins],
    headers: securityHeaders({ isSecure }),
    requestIdOf: openRequestIds(settings.trustedProxies),
    readiness: openReadiness(database),
    responseCache: openResponseCache({
      catalogueVersion,
      acceptsHost: hosts.accepts,
      onLoad: metrics.countLoadedResponse,
      onHit: metrics.recordCachedResponse,
    }),
    ...{ outbox, payments },
    findFront: openFront({ db, listDb }),
    findBook: (id: string) => findBook(db, id),
    soldCounts: cachedFor(soldLifetimeMs, () => countSold(listDb)),
    isWithoutReceipts: (customer: { isEmailVerified: boolean }) => isWithoutReceipts(mail, customer),
    money,
    storeConfig: storeConfigOf(given),
    store: { name: settings.storeName, publicUrl, imageOrigin: settings.apiHost || storeOrigin, money },
  };
}

const soldLifetimeMs = 60 * 60 * 1000;

/** The page gives every visitor this configuration, so it never includes the key of another image host's account. */
function storeConfigOf({ settings, mail, webhooks, providerName }: AppParts): StoreConfig {
  const { storeName: name, apiHost, timeZone, currency, hasDelivery, orderButton, imageHost } = settings;
  const { shopNote: note, shopEmail } = settings;
  return {
    ...{ name, providerName, apiHost, timeZone, currency, hasDelivery, orderButton, note, shopEmail },
    mail: mail.mode,
    payments: settings.payments.ways,
    hasWebhooks: webhooks.isOn,
    measuresVisitors: settings.measuresVisitors,
    imageHost: { url: imageHost?.url ?? apiHost + paths.upload },
  };
}

type RecordRefusal = (problem: Problem) => void;

/** Keeps the process alive: limits of connections, and of the requests that the framework gets. */
function limitLoad(app: FastifyInstance, parts: Parts): RecordRefusal {
  const { metrics, readiness, settings } = parts;
  const recordOutage = logOutages(app);
  limitConnections(app.server, settings.maxConnections, (problem) => {
    metrics.countRefusedConnection();
    recordOutage(problem);
  });
  standInFrontOf(app.server, {
    ...parts,
    onShed(problem) {
      metrics.countShedRequest();
      recordOutage(problem);
    },
  });
  return (problem) => {
    recordOutage(problem);
    if (problem.code === 'UNAVAILABLE' && isUnavailable(problem.cause)) readiness.recordFailure();
  };
}

/** The protocol: how requests are read and measured, how answers and errors are written, and how the app stops. */
async function addProtocol(app: FastifyInstance, parts: Parts, onRefused: RecordRefusal) {
  const { settings, store, headers, hosts, metrics, responseCache, cookies, money } = parts;
  const { publicUrl, allowedOrigins, trustedProxies, stopDelayMs } = settings;
  bodies.validateStrictly(app, publicUrl.origin, money);
  bodies.serializeWithSharedSchemas(app);
  bodies.parseBodies(app);
  handleErrors(app, onRefused);
  setHeaders(app, headers);
  hosts.guard(app);
  if (trustedProxies.length > 0) cleanForwardedFor(app);
  metrics.measure(app);
  const isBeyondLimit = limitLines(app);
  logRequests(app, isBeyondLimit);
  // At the levels `debug` and `trace`, the log has every request, so no cached response may bypass the framework.
  if (isDebugging(app)) responseCache.disable();
  // While the app stops, each response closes its connection.
  app.addHook('preClose', async () => responseCache.disable());
  const { isStopping } = stopGracefully(app, stopDelayMs);
  await app.register(cookie);
  if (allowedOrigins.length > 0) await allowOrigins(app, allowedOrigins);
  await describeCalls(app, {
    storeName: store.name,
    origin: store.imageOrigin,
    sessionCookie: sessionCookieName(cookies),
  });
  return { isBeyondLimit, isStopping };
}

async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  await app.register(cors, {
    origin: [...origins],
    credentials: true,
    // Without this option an OPTIONS request that is no preflight gets a response that is not a problem document.
    strictPreflight: false,
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    exposedHeaders: ['link', 'retry-after', 'etag', 'date', requestIdHeader, ...searchHeaders],
    maxAge: 600,
  });
}

/** The guards and limits of requests. A client's limit comes before the session is read, an account's after it. */
async function admitRequests(app: FastifyInstance, parts: Parts): Promise<void> {
  const { settings, metrics, limitScale } = parts;
  const rateLimits = settings.hasRateLimits
    ? await openRateLimits(app, {
        accountOf: async (request) =>
          // The key of a token has a colon, which no customer's id has.
          request.token === null ? (await customerOf(request, parts))?.id : `token:${request.token}`,
        onRefused: metrics.countRefusal,
        scale: limitScale,
      })
    : undefined;
  rateLimits?.limitClients();
  guardRoutes(app, parts);
  rateLimits?.limitAccounts();
}

type RoutesParts = Parts & Awaited<ReturnType<typeof addProtocol>> & { onRefused: RecordRefusal };

const actRoutes: FastifyPluginAsync<RoutesParts> = async (app, parts) => {
  const { db, listDb, database, mail, outbox, payments, settings, money, catalogueVersion } = parts;
  mountActs(app, acts, {
    shop: {
      ...{ db, listDb, space: database.space, zone: settings.timeZone, money, mail, outbox, payments },
      onShelfChanged: catalogueVersion.recordLocalChange,
    },
    sendExport: openExports(),
  });
};

const features: readonly FastifyPluginAsync<RoutesParts>[] = [
  catalogueRoutes,
  catalogueChangeRoutes,
  frontRoutes,
  importRoutes,
  actRoutes,
  orderRoutes,
  paymentRoutes,
  sessionRoutes,
  imageRoutes,
  cardRoutes,
  operationsRoutes,
  apiDescriptionRoutes,
  crawlerRoutes,
  pageRoutes,
];
