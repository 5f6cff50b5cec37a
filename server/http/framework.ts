import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import { type ConnectionTimeouts, timeoutOptions } from './connections.ts';
import { sendProblem } from './error-handler.ts';
import { hostOptions } from './hosts.ts';
import { Problem } from './problems.ts';
import { clientErrorHandler } from './raw-responses.ts';
import { type RequestIdOf, traceOf } from './request-ids.ts';

/** Far more than the JSON of any call. Uploads have their own limit. */
const maxBodyBytes = 64 * 1024;

type FrameworkOptions = {
  log: FastifyBaseLogger;
  timeouts: ConnectionTimeouts;
  /** Networks (CIDR) whose `X-Forwarded-For` counts. */
  trustedProxies: readonly string[];
  /** The security headers. */
  headers: Readonly<Record<string, string>>;
  requestIdOf: RequestIdOf;
  /** Called for each request that cannot be read. */
  onProblem(problem: Problem): void;
};

/** Opens the framework. Its own responses to what it cannot read have the security headers too. */
export const openFramework = ({
  log,
  timeouts,
  trustedProxies,
  headers,
  requestIdOf,
  onProblem,
}: FrameworkOptions) =>
  fastify({
    loggerInstance: log,
    genReqId: requestIdOf,
    childLoggerFactory: (log, bindings, options, request) =>
      log.child({ ...bindings, traceId: traceOf(request) }, options),
    // `info` would get two lines for each request, which help only when a fault is searched for.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    forceCloseConnections: 'idle',
    // By default the framework gives up a stop after ten seconds, whatever STOP_DELAY_MS says.
    pluginTimeout: 0,
    // A request that was sent before the stop is served, and its connection closed.
    return503OnClosing: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: maxBodyBytes,
    ...timeoutOptions(timeouts),
    http: { ...timeoutOptions(timeouts).http, ...hostOptions },
    // The longest possible e-mail address (RFC 5321, section 4.5.3.1), with each letter percent-encoded.
    routerOptions: { maxParamLength: 1000 },
    // No hook runs for the responses of these two.
    clientErrorHandler: clientErrorHandler(headers, onProblem),
    frameworkErrors: (_error, request, reply) => {
      const problem = new Problem('MALFORMED_REQUEST');
      onProblem(problem);
      sendProblem(request, reply.headers(headers), problem);
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
