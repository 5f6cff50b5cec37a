import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { alsoFoundHeader, correctedQueryHeader, similarWordsHeader } from '../contract/book-search.ts';
import { ordersTotalHeader } from '../contract/orders-total.ts';
import { paths } from '../contract/paths.ts';
import type { StoreConfig } from '../contract/store-config.ts';
import { mountActs } from './access/act-routes.ts';
import { customerOf, guardRoutes } from './access/guards.ts';
import { acts } from './acts.ts';
import { describeCalls } from './api-description/openapi.ts';
import { apiDescriptionRoutes } from './api-description/routes.ts';
import { catalogueRoutes } from './catalogue/routes.ts';
import type { Database } from './database/open.ts';
import { isUnavailable } from './database/unavailable.ts';
import { openExports } from './exports/send-export.ts';
import { standInFrontOf } from './front.ts';
import { openFront } from './front-table/read-front.ts';
import { frontRoutes } from './front-table/routes.ts';
import {
  inviteBodies,
  parseBodies,
  requireSchemas,
  serializeWithSharedSchemas,
  validateStrictly,
} from './http/bodies.ts';
import { type ConnectionTimeouts, connectionTimeouts, limitConnections } from './http/connections.ts';
import { handleErrors } from './http/error-handler.ts';
import { cleanForwardedFor } from './http/forwarded-for.ts';
import { openFramework } from './http/framework.ts';
import { stopGracefully } from './http/graceful-stop.ts';
import { securityHeaders, setHeaderPolicy } from './http/headers.ts';
import { openHosts } from './http/hosts.ts';
import { logOutages } from './http/outages.ts';
import type { Problem } from './http/problems.ts';
import { openRateLimits } from './http/rate-limits.ts';
import { openRequestIds, requestIdHeader, sendRequestIds } from './http/request-ids.ts';
import { isDebugging, limitLines, logRequests } from './http/request-log.ts';
import { openResponseCache } from './http/response-cache.ts';
import { cardRoutes } from './images/card-routes.ts';
import { openImageWorker } from './images/image-worker.ts';
import { imageRoutes } from './images/routes.ts';
import { importRoutes } from './import/routes.ts';
import { isWithoutReceipts, type Mail } from './mail/mail.ts';
import { openMetrics } from './operations/metrics.ts';
import { openReadiness } from './operations/readiness.ts';
import { operationsRoutes } from './operations/routes.ts';
import { addressRoutes } from './orders/address-routes.ts';
import { orderRoutes } from './orders/routes.ts';
import { openOutbox } from './outbox/record.ts';
import { crawlerRoutes } from './pages/crawler-routes.ts';
import { type PagesParts, pageRoutes } from './pages/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { openSoldCounts } from './search/sold-counts.ts';
import type { Settings } from './settings/settings.ts';
import type { SignInProvider } from './sign-in/provider.ts';
import { signInRoutes } from './sign-in/routes.ts';
import { sessionCookieName } from './sign-in/session-cookie.ts';
import type { Webhooks } from './webhooks/sender.ts';

type AppParts = {
  database: Database;
  provider: SignInProvider;
  storeConfig: Omit<
    StoreConfig,
    'imageHost' | 'timeZone' | 'hasDelivery' | 'sendsMail' | 'note' | 'shopEmail'
  >;
  pages: Pick<PagesParts, 'folder' | 'isRebuilt' | 'bookWaitMs'>;
  /** The mail of orders is sent, shown or left out. */
  mail: Mail;
  /** Another program is told of orders, or not. */
  webhooks: Webhooks;
  settings: AppSettings;
  /** Those that differ from the defaults. */
  timeouts?: Partial<ConnectionTimeouts>;
  /** The share of each rate limit that holds; 1 but for tests. */
  limitScale?: number | undefined;
  log: FastifyBaseLogger;
};

/** The settings that decide who may do what, and how much. */
export type AppSettings = Pick<
  Settings,
  | 'host'
  | 'timeZone'
  | 'publicUrl'
  | 'adminEmails'
  | 'adminClaim'
  | 'allowedOrigins'
  | 'trustedProxies'
  | 'hasRateLimits'
  | 'maxConnections'
  | 'metricsToken'
  | 'securityContact'
  | 'imageOrigins'
  | 'imageHost'
  | 'stopDelayMs'
  | 'hasDelivery'
  | 'withdrawalDays'
  | 'shopEmail'
  | 'shopNote'
> & {
  /** Demo mode: the store is open on this machine alone, for anyone. */
  isDemo: boolean;
};

/**
 * Builds the whole store, ready to listen: plugins, guards and features, in the order in which they are written here.
 * @throws when a route declares no access, no limit or no schema.
 */
export async function buildApp(given: AppParts): Promise<FastifyInstance> {
  const parts = { ...given, ...openParts(given) };
  const timeouts = { ...connectionTimeouts, ...parts.timeouts };
  const { log, headers, requestIdOf, metrics } = parts;
  const { trustedProxies } = parts.settings;
  const onProblem = metrics.countProblem;
  const app = openFramework({ log, timeouts, trustedProxies, headers, requestIdOf, onProblem });
  const recordRefusal = limitLoad(app, parts);
  const httpParts = await addProtocol(app, parts, recordRefusal);
  await admitRequests(app, parts);
  await addFeatures(app, { ...parts, ...httpParts, recordRefusal });
  return app;
}

/** The parts that the caller gave, and those that several of the groups below use. */
type Parts = AppParts & ReturnType<typeof openParts>;

function openParts({ database, provider, mail, webhooks, settings }: AppParts) {
  const { publicUrl, adminEmails, adminClaim } = settings;
  const isSecure = publicUrl.protocol === 'https:';
  const hosts = openHosts(settings);
  const imageWorker = openImageWorker();
  const metrics = openMetrics({ database, mail, webhooks, imageWorker });
  const responseCache = openResponseCache({
    catalogueVersion: database.catalogueVersion,
    acceptsHost: hosts.accepts,
    onLoad: metrics.countLoadedResponse,
    recorder: metrics.cachedResponseRecorder,
  });
  return {
    cookies: { isSecure },
    sessionPolicy: { providerIssuer: provider.issuer, adminEmails, adminClaim },
    ownOrigins: [publicUrl.origin, ...settings.allowedOrigins],
    headers: securityHeaders({ isSecure }),
    requestIdOf: openRequestIds(settings.trustedProxies),
    readiness: openReadiness(database),
    hosts,
    imageWorker,
    metrics,
    responseCache,
  };
}

type RecordRefusal = (problem: Problem) => void;

/** Keeps the process alive: limits of connections, and of the requests that the framework gets. */
function limitLoad(app: FastifyInstance, parts: Parts): RecordRefusal {
  const { metrics, readiness, responseCache, requestIdOf, headers, settings } = parts;
  const { maxConnections } = settings;
  const onRefused = metrics.countRefusedConnection;
  limitConnections(app.server, app.log, { maxConnections, onRefused });
  const outages = logOutages(app);
  standInFrontOf(app.server, {
    responseCache,
    requestIdOf,
    headers,
    onShed(problem) {
      metrics.countShedRequest();
      outages.record(problem);
    },
  });
  return (problem) => {
    outages.record(problem);
    if (problem.code === 'UNAVAILABLE' && isUnavailable(problem.cause)) readiness.recordFailure();
  };
}

/** The protocol: how requests are read and measured, how answers and errors are written, and how the app stops. */
async function addProtocol(app: FastifyInstance, parts: Parts, recordRefusal: RecordRefusal) {
  const { settings, storeConfig, headers, hosts, metrics, responseCache, cookies } = parts;
  const { publicUrl, allowedOrigins, trustedProxies, stopDelayMs } = settings;
  validateStrictly(app, publicUrl.origin);
  serializeWithSharedSchemas(app);
  requireSchemas(app);
  parseBodies(app);
  handleErrors(app, recordRefusal);
  sendRequestIds(app);
  inviteBodies(app);
  setHeaderPolicy(app, headers);
  hosts.guard(app);
  if (trustedProxies.length > 0) cleanForwardedFor(app);
  metrics.measure(app);
  const isBeyondLimit = limitLines(app);
  logRequests(app, isBeyondLimit);
  // At these levels the log has every request.
  if (isDebugging(app)) responseCache.disable();
  // While it stops, each response closes its connection.
  app.addHook('preClose', async () => responseCache.disable());
  const { isStopping } = stopGracefully(app, { delayMs: stopDelayMs });
  await app.register(cookie);
  if (allowedOrigins.length > 0) await allowOrigins(app, allowedOrigins);
  await describeCalls(app, {
    storeName: storeConfig.name,
    origin: storeConfig.apiHost || publicUrl.origin,
    sessionCookie: sessionCookieName(cookies),
  });
  return { isBeyondLimit, isStopping };
}

/** Lets pages of other origins call the API with credentials. */
async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  await app.register(cors, {
    origin: [...origins],
    credentials: true,
    // Without it an OPTIONS that is no preflight gets a response that is no problem document.
    strictPreflight: false,
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    exposedHeaders: [
      'link',
      'retry-after',
      'etag',
      'date',
      requestIdHeader,
      correctedQueryHeader,
      similarWordsHeader,
      alsoFoundHeader,
      ordersTotalHeader,
    ],
    maxAge: 600,
  });
}

/** The guards and limits of requests. A client's limit comes before the session is read, an account's after it. */
async function admitRequests(app: FastifyInstance, parts: Parts): Promise<void> {
  const { database, cookies, sessionPolicy, ownOrigins, settings, metrics, limitScale } = parts;
  const { hasRateLimits, metricsToken, isDemo } = settings;
  const { db } = database;
  const rateLimits = hasRateLimits
    ? await openRateLimits(app, {
        accountOf: async (request) =>
          // An id of a customer has no colon.
          request.token === null
            ? (await customerOf(request, { db, cookies, sessionPolicy }))?.id
            : `token:${request.token}`,
        onRefused: metrics.countRefusal,
        scale: limitScale,
      })
    : undefined;
  rateLimits?.limitClients();
  guardRoutes(app, { db, cookies, sessionPolicy, writingOrigins: ownOrigins, metricsToken, isDemo });
  rateLimits?.limitAccounts();
}

type HttpParts = Awaited<ReturnType<typeof addProtocol>> & { recordRefusal: RecordRefusal };

/** The routes, a plugin for each feature. */
async function addFeatures(app: FastifyInstance, parts: Parts & HttpParts): Promise<void> {
  const { cookies, sessionPolicy, ownOrigins, provider, mail, webhooks, metrics, responseCache } = parts;
  const { db, listDb, catalogueVersion } = parts.database;
  const { publicUrl, imageOrigins, imageHost, securityContact, hasDelivery } = parts.settings;
  const { withdrawalDays, shopEmail, shopNote, timeZone: zone } = parts.settings;
  const storeOrigin = publicUrl.origin;
  const outbox = openOutbox(mail, webhooks);
  const findFront = openFront({ db, listDb });
  const soldCounts = openSoldCounts(listDb, (error) => {
    app.log.warn(
      { err: error },
      'the sales of each book could not be read: searches keep the order of equal matches',
    );
  });
  await app.register(catalogueRoutes, {
    db,
    listDb,
    catalogueVersion,
    responseCache,
    soldCounts,
    storeOrigin,
    imageOrigins,
  });
  await app.register(frontRoutes, { responseCache, findFront });
  await app.register(searchRoutes, { listDb, responseCache, soldCounts });
  await app.register(importRoutes, { db, catalogueVersion, storeOrigin, imageOrigins });
  mountActs(app, acts, {
    shop: {
      ...{ db, listDb, space: parts.database.space, zone, mail, outbox },
      onShelfChanged: catalogueVersion.recordLocalChange,
    },
    sendExport: openExports(),
  });
  await app.register(orderRoutes, { db, catalogueVersion, outbox, hasDelivery, withdrawalDays });
  if (hasDelivery) await app.register(addressRoutes, { db, cookies });
  await app.register(signInRoutes, {
    db,
    cookies,
    sessionPolicy,
    ownOrigins,
    provider,
    isWithoutReceipts: (customer) => isWithoutReceipts(mail, customer),
    countBegunSignIn: metrics.countBegunSignIn,
    countSignIn: metrics.countSignIn,
    onRefused: parts.recordRefusal,
    isBeyondLimit: parts.isBeyondLimit,
  });
  await app.register(imageRoutes, {
    db,
    catalogueVersion,
    worker: parts.imageWorker,
    hostKey: imageHost?.key,
  });
  await app.register(cardRoutes, { db, worker: parts.imageWorker, storeName: parts.storeConfig.name });
  await app.register(operationsRoutes, {
    isStopping: parts.isStopping,
    checkReadiness: parts.readiness.check,
    contentTypeOfMetrics: metrics.contentType,
    readMetrics: metrics.text,
    publicUrl,
    securityContact,
  });
  await app.register(apiDescriptionRoutes, { responseCache });
  await app.register(crawlerRoutes, {
    db,
    listDb,
    responseCache,
    store: {
      name: parts.storeConfig.name,
      publicUrl,
      imageOrigin: parts.storeConfig.apiHost || storeOrigin,
    },
  });
  const imageHostUrl = imageHost?.url ?? parts.storeConfig.apiHost + paths.upload;
  // Every visitor gets the page: the key of another host's account is not in it.
  const storeConfig = {
    ...parts.storeConfig,
    timeZone: zone,
    hasDelivery,
    sendsMail: mail.mode === 'sent',
    ...(shopNote === undefined ? {} : { note: shopNote }),
    ...(shopEmail === undefined ? {} : { shopEmail }),
    imageHost: { url: imageHostUrl },
  };
  const withdrawal = { days: withdrawalDays, shopEmail };
  await app.register(pageRoutes, {
    ...parts.pages,
    db,
    responseCache,
    findFront,
    storeConfig,
    publicUrl,
    imageOrigins,
    withdrawal,
  });
}
