import type { IncomingMessage } from 'node:http';
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { correctedQueryHeader, similarWordsHeader } from '../contract/book-search.ts';
import { paths } from '../contract/paths.ts';
import type { StoreConfig } from '../contract/store-config.ts';
import { customerOf, guardRoutes } from './access/guards.ts';
import { activityRoutes } from './activity/routes.ts';
import { deskCatalogueRoutes } from './catalogue/desk-routes.ts';
import { importRoutes } from './catalogue/import/routes.ts';
import { catalogueRoutes } from './catalogue/routes.ts';
import { customerRoutes } from './customers/routes.ts';
import type { Database } from './database/open.ts';
import { isUnavailable } from './database/unavailable.ts';
import { parseBodies, requireSchemas, serializeWithSharedSchemas, validateStrictly } from './http/bodies.ts';
import {
  type ConnectionTimeouts,
  connectionOptions,
  connectionTimeouts,
  limitConnections,
  limitPipelining,
} from './http/connections.ts';
import { handleErrors, sendProblem } from './http/error-handler.ts';
import { openExportSlots } from './http/export-slots.ts';
import { cleanForwardedFor } from './http/forwarded-for.ts';
import { stopGracefully } from './http/graceful-stop.ts';
import { securityHeaders, setHeaderPolicy } from './http/headers.ts';
import { hostOptions, openHosts } from './http/hosts.ts';
import { type RequestKind, shedLoad } from './http/load-shedding.ts';
import { logOutages } from './http/outages.ts';
import { Problem } from './http/problems.ts';
import { openRateLimits } from './http/rate-limits.ts';
import { clientErrorHandler } from './http/raw-responses.ts';
import { closeIfUnread, refuseUnreadBodies } from './http/refused-bodies.ts';
import {
  logOfRequest,
  openRequestIds,
  type RequestIdOf,
  requestIdHeader,
  sendRequestIds,
} from './http/request-ids.ts';
import { isDebugging, limitLines, logRequests } from './http/request-log.ts';
import { openResponseCache } from './http/response-cache.ts';
import { routedPath } from './http/routed-path.ts';
import { openImageWorker } from './images/image-worker.ts';
import { imageRoutes } from './images/routes.ts';
import { isWithoutReceipts, type Mail } from './mail/mail.ts';
import { mailRoutes } from './mail/routes.ts';
import { openMetrics } from './operations/metrics.ts';
import { describeCalls } from './operations/openapi.ts';
import { openReadiness } from './operations/readiness.ts';
import { operationsRoutes } from './operations/routes.ts';
import { deskOrderRoutes } from './orders/desk-routes.ts';
import { orderRoutes } from './orders/routes.ts';
import { crawlerRoutes } from './pages/crawler-routes.ts';
import { type PagesParts, pageRoutes } from './pages/routes.ts';
import type { Settings } from './settings.ts';
import { openAttemptKeys } from './sign-in/attempt-keys.ts';
import type { SignInProvider } from './sign-in/provider.ts';
import { signInRoutes } from './sign-in/routes.ts';
import { sessionCookieName } from './sign-in/session-cookie.ts';

export type AppParts = {
  database: Database;
  provider: SignInProvider;
  storeConfig: Omit<StoreConfig, 'imageHost'>;
  pages: Omit<PagesParts, 'db' | 'storeConfig' | 'publicUrl' | 'imageOrigins'>;
  /** What becomes of the mail of orders. */
  mail: Mail;
  settings: AppSettings;
  /** Those that differ from the defaults. */
  timeouts?: Partial<ConnectionTimeouts>;
  log: FastifyBaseLogger;
};

/** The settings that decide who may do what, and how much. */
export type AppSettings = Pick<
  Settings,
  | 'host'
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
> & {
  /** Whether the store runs in demo mode: on this machine alone, for anyone. */
  isDemo: boolean;
};

/** Far more than the JSON of any call. Uploads have their own limit. */
const maxBodyBytes = 64 * 1024;

/**
 * Builds the whole store, ready to listen: plugins, guards and features, in the order in which they are written here.
 * @throws when a route declares no access, no limit or no schema.
 */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { database } = parts;
  const { imageHost } = parts.settings;
  const imageHostUrl = imageHost?.url ?? parts.storeConfig.apiHost + paths.upload;
  // Every visitor gets the page: the key of another host's account is not in it.
  const storeConfig = { ...parts.storeConfig, imageHost: { url: imageHostUrl } };
  const { publicUrl, allowedOrigins, adminEmails, adminClaim, metricsToken } = parts.settings;
  const { hasRateLimits, imageOrigins, securityContact } = parts.settings;
  const { db, listDb, deskDb, catalogueVersion } = database;
  const isSecure = publicUrl.protocol === 'https:';
  const cookies = { isSecure };
  const ownOrigins = [publicUrl.origin, ...allowedOrigins];
  const sessionPolicy = { providerIssuer: parts.provider.issuer, adminEmails, adminClaim };
  const headers = securityHeaders({ isSecure });
  const hosts = openHosts(parts.settings);
  const imageWorker = openImageWorker();
  const metrics = openMetrics({ database, mail: parts.mail, imageWorker });
  const responseCache = openResponseCache({
    catalogueVersion,
    acceptsHost: hosts.accepts,
    onLoad: metrics.countLoadedResponse,
    recorder: metrics.cachedResponseRecorder,
  });

  const requestIdOf = openRequestIds(parts.settings.trustedProxies);
  const app = openFramework(parts, {
    headers,
    requestIdOf,
    onRefusedConnection: metrics.countRefusedConnection,
    onProblem: metrics.countProblem,
  });
  const outages = logOutages(app);
  shedLoad(app.server, {
    kindOf: kindOfRequest,
    requestIdOf,
    headers,
    onShed(problem) {
      metrics.countShedRequest();
      outages.record(problem);
    },
  });
  responseCache.standInFrontOf(app.server);
  limitPipelining(app.server);

  validateStrictly(app, publicUrl.origin);
  serializeWithSharedSchemas(app);
  requireSchemas(app);
  parseBodies(app);
  const readiness = openReadiness(database);
  const recordRefusal = (problem: Problem) => {
    outages.record(problem);
    if (problem.code === 'UNAVAILABLE' && isUnavailable(problem.cause)) readiness.recordFailure();
  };
  handleErrors(app, recordRefusal);
  sendRequestIds(app);
  refuseUnreadBodies(app);
  setHeaderPolicy(app, headers);
  hosts.guard(app);
  if (parts.settings.trustedProxies.length > 0) cleanForwardedFor(app);
  metrics.measure(app);
  const isBeyondLimit = limitLines(app);
  logRequests(app, isBeyondLimit);
  // At these levels the log has every request.
  if (isDebugging(app)) responseCache.disable();
  // While it stops, each response closes its connection.
  app.addHook('preClose', async () => responseCache.disable());
  const { isStopping } = stopGracefully(app, { delayMs: parts.settings.stopDelayMs, headers });
  await app.register(cookie);
  if (allowedOrigins.length > 0) await allowOrigins(app, allowedOrigins);
  await describeCalls(app, {
    storeName: storeConfig.name,
    origin: storeConfig.apiHost || publicUrl.origin,
    sessionCookie: sessionCookieName(cookies),
  });
  const rateLimits = hasRateLimits
    ? await openRateLimits(app, {
        accountOf: async (request) =>
          // An id of a customer has no colon.
          request.token === null
            ? (await customerOf(request, { db, cookies, sessionPolicy }))?.id
            : `token:${request.token}`,
        onRefused: metrics.countRefusal,
      })
    : undefined;
  rateLimits?.limitClients();
  guardRoutes(app, {
    db,
    cookies,
    sessionPolicy,
    writingOrigins: ownOrigins,
    metricsToken,
    isDemo: parts.settings.isDemo,
  });
  rateLimits?.limitAccounts();

  await app.register(catalogueRoutes, {
    db,
    listDb,
    catalogueVersion,
    responseCache,
    storeOrigin: publicUrl.origin,
    imageOrigins,
  });
  const exportSlots = openExportSlots();
  await app.register(deskCatalogueRoutes, { db, deskDb, exportSlots });
  await app.register(importRoutes, { db, catalogueVersion, storeOrigin: publicUrl.origin, imageOrigins });
  await app.register(deskOrderRoutes, { db, deskDb, exportSlots });
  await app.register(orderRoutes, { db, mail: parts.mail });
  await app.register(mailRoutes, { db, deskDb, mail: parts.mail });
  await app.register(customerRoutes, { db, deskDb, exportSlots });
  await app.register(activityRoutes, { db: deskDb });
  await app.register(signInRoutes, {
    db,
    cookies,
    sessionPolicy,
    ownOrigins,
    provider: parts.provider,
    isWithoutReceipts: (customer) => isWithoutReceipts(parts.mail, customer),
    attemptKeys: openAttemptKeys(db),
    countBegunSignIn: metrics.countBegunSignIn,
    countSignIn: metrics.countSignIn,
    onRefused: recordRefusal,
    isBeyondLimit,
  });
  await app.register(imageRoutes, { db, worker: imageWorker, hostKey: imageHost?.key });
  await app.register(operationsRoutes, {
    isStopping,
    checkReadiness: readiness.check,
    metrics,
    responseCache,
    publicUrl,
    securityContact,
  });
  await app.register(crawlerRoutes, { listDb, responseCache, publicUrl, storeName: storeConfig.name });
  await app.register(pageRoutes, { ...parts.pages, db, storeConfig, publicUrl, imageOrigins });
  return app;
}

/** Opens the framework. Its own responses to what it cannot read have the security headers too. */
function openFramework(
  parts: AppParts,
  {
    headers,
    requestIdOf,
    onRefusedConnection,
    onProblem,
  }: {
    headers: Readonly<Record<string, string>>;
    requestIdOf: RequestIdOf;
    onRefusedConnection: () => void;
    onProblem: (problem: Problem) => void;
  },
) {
  const timeouts = { ...connectionTimeouts, ...parts.timeouts };
  const { trustedProxies, maxConnections } = parts.settings;
  const app = fastify({
    loggerInstance: parts.log,
    genReqId: requestIdOf,
    childLoggerFactory: logOfRequest,
    // `info` would get two lines for each request, which help only when a fault is searched for.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    forceCloseConnections: 'idle',
    // By default the framework gives up a stop after ten seconds, whatever STOP_DELAY_MS says.
    pluginTimeout: 0,
    // A request that was sent before the stop is served, and its connection closed.
    return503OnClosing: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: maxBodyBytes,
    ...connectionOptions(timeouts),
    http: { ...connectionOptions(timeouts).http, ...hostOptions },
    // The longest possible e-mail address (RFC 5321, section 4.5.3.1), with each letter percent-encoded.
    routerOptions: { maxParamLength: 1000 },
    // No hook runs for the responses of these two.
    clientErrorHandler: clientErrorHandler(headers, onProblem),
    frameworkErrors: (_error, request, reply) => {
      closeIfUnread(request, reply);
      const problem = new Problem('MALFORMED_REQUEST');
      onProblem(problem);
      sendProblem(request, reply.headers(headers), problem);
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
  limitConnections(app.server, app.log, { ...timeouts, maxConnections, onRefused: onRefusedConnection });
  return app;
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
      requestIdHeader,
      correctedQueryHeader,
      similarWordsHeader,
    ],
    maxAge: 600,
  });
}

/** Never shed: what operators need, and the first page, of which all visitors share one load. */
const neverShed: ReadonlySet<string> = new Set([paths.health, paths.readiness, paths.metrics, paths.books]);

/** Each reads many books. The first page under its usual address is never shed. */
const listsOfBooks: ReadonlySet<string> = new Set([paths.books, paths.sitemap]);

/** @returns the queue that a request waits in; undefined for one that never waits. */
export function kindOfRequest({
  method,
  url = '',
}: Pick<IncomingMessage, 'method' | 'url'>): RequestKind | undefined {
  if (neverShed.has(url)) return undefined;
  if (method !== 'GET' && method !== 'HEAD') return 'changes';
  const path = routedPath(url);
  return listsOfBooks.has(path) || path.startsWith(paths.sitemapPart('')) ? 'searches' : 'reads';
}
