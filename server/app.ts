import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { Ajv } from 'ajv';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Store } from '../contract/store.ts';
import { addBodyFormats } from './body-formats.ts';
import { watchCatalogue } from './catalogue/changes.ts';
import { catalogueRoutes } from './catalogue/routes.ts';
import { openShelf } from './catalogue/shelf.ts';
import type { Database } from './database/open.ts';
import { setHeaderPolicy } from './headers.ts';
import { imageRoutes } from './images/routes.ts';
import { openMetrics } from './operations/metrics.ts';
import { describeCalls } from './operations/openapi.ts';
import { operationsRoutes } from './operations/routes.ts';
import { orderRoutes } from './orders/routes.ts';
import { type PagesParts, pageRoutes } from './pages/routes.ts';
import { answerProblems, sendProblem } from './problem-answers.ts';
import { Problem } from './problems.ts';
import { openReadyAnswers } from './ready-answers.ts';
import { guardRoutes } from './sign-in/guards.ts';
import type { SignInProvider } from './sign-in/provider.ts';
import { signInRoutes } from './sign-in/routes.ts';
import { sessionCookieName } from './sign-in/session-cookie.ts';

export type AppParts = {
  database: Database;
  provider: SignInProvider;
  store: Store;
  publicUrl: URL;
  adminEmails: readonly string[];
  allowedOrigins: readonly string[];
  trustedProxies: readonly string[];
  pages: Omit<PagesParts, 'store'>;
  log: FastifyBaseLogger;
};

/** Far more than any call's JSON needs. Uploads have a limit of their own. */
const maxBodyBytes = 64 * 1024;

/** The whole store, ready to listen. Plugins, guards and features come in the order in which they are written here. */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { database, publicUrl } = parts;
  const { db } = database;
  const isSecure = publicUrl.protocol === 'https:';
  const cookies = { isSecure };
  const changes = watchCatalogue(database);
  const metrics = openMetrics();
  const ready = openReadyAnswers({
    mark: changes.mark,
    onAnswer: (route, seconds) => metrics.observe({ method: 'GET', route, status: 200 }, seconds),
  });

  const app = fastify({
    loggerInstance: parts.log,
    // Fastify's own two lines a request would say at `info` what only somebody who is looking for a fault reads.
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    // What was sent before the stop was heard is in flight as well: served, and its connection closed.
    return503OnClosing: false,
    trustProxy: parts.trustedProxies.length > 0 ? [...parts.trustedProxies] : false,
    bodyLimit: maxBodyBytes,
    // Time enough for an upload over a slow line; a body that trickles for ever holds nothing.
    requestTimeout: 120_000,
    // An e-mail of the longest kind (RFC 5321, section 4.5.3.1), each letter percent-encoded.
    routerOptions: { maxParamLength: 1000 },
    frameworkErrors: (_error, request, reply) => {
      sendProblem(request, reply, new Problem('MALFORMED_REQUEST'));
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
  ready.standBefore(app.server);

  validateStrictly(app, publicUrl.origin);
  readBodies(app);
  answerProblems(app);
  setHeaderPolicy(app, { isSecure });
  metrics.measure(app);
  logRequests(app);
  // Every request is to be in the log.
  if (isDebugging(app)) ready.stop();
  // At its end the framework has more to say than the answer itself, such as `connection: close`.
  app.addHook('preClose', async () => ready.stop());
  closeConnectionsAtTheEnd(app);
  await app.register(cookie);
  if (parts.allowedOrigins.length > 0) {
    await app.register(cors, {
      origin: [...parts.allowedOrigins],
      credentials: true,
      methods: ['GET', 'HEAD', 'POST', 'DELETE'],
      exposedHeaders: ['link', 'retry-after', 'etag'],
      maxAge: 600,
    });
  }
  await describeCalls(app, { storeName: parts.store.name, sessionCookie: sessionCookieName(cookies) });
  guardRoutes(app, {
    db,
    cookies,
    adminEmails: parts.adminEmails,
    writingOrigins: [publicUrl.origin, ...parts.allowedOrigins],
  });

  const shelf = openShelf(db, changes);
  await app.register(catalogueRoutes, { db, changes, shelf, ready, storeOrigin: publicUrl.origin });
  await app.register(orderRoutes, { db });
  await app.register(signInRoutes, { db, cookies, provider: parts.provider });
  await app.register(imageRoutes, { db });
  await app.register(operationsRoutes, { db, metrics });
  await app.register(pageRoutes, { ...parts.pages, store: parts.store });
  return app;
}

/**
 * A connection that was busy when the stop came would be kept alive after its answer, and the stop would wait for the
 * client to tire of it.
 */
function closeConnectionsAtTheEnd(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    const closing = setInterval(() => app.server.closeIdleConnections(), 20);
    app.server.once('close', () => clearInterval(closing));
  });
}

const isDebugging = ({ log }: FastifyInstance): boolean => log.level === 'debug' || log.level === 'trace';

/** `info` tells what was changed or refused, `debug` every request. */
function logRequests(app: FastifyInstance): void {
  const logsReads = isDebugging(app);
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode, elapsedTime } = reply;
    const isPlainRead = (request.method === 'GET' || request.method === 'HEAD') && statusCode < 400;
    if (isPlainRead && !logsReads) return done();
    request.log[isPlainRead ? 'debug' : 'info'](
      {
        method: request.method,
        // The pattern: an address may hold an e-mail.
        route: request.routeOptions.url ?? 'none',
        status: statusCode,
        ms: Math.round(elapsedTime),
        ip: request.ip,
      },
      'request',
    );
    done();
  });
}

/** Bodies are taken as they are; what comes as text by its nature (queries, headers) is read as what it stands for. */
function validateStrictly(app: FastifyInstance, storeOrigin: string): void {
  const bodies = new Ajv({ allErrors: true });
  addBodyFormats(bodies, storeOrigin);
  const texts = new Ajv({ coerceTypes: true });
  app.setValidatorCompiler(({ schema, httpPart }) => (httpPart === 'body' ? bodies : texts).compile(schema));
}

/** JSON alone is read, and multipart by the route that takes uploads. */
function readBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Browsers' code often says JSON on a call that sends nothing, such as DELETE.
    if (body === '') done(null, undefined);
    else parseJson(request, String(body), done);
  });
}
