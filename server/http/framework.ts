import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import { type ConnectionTimeouts, clientErrorHandler } from './connections.ts';
import { sendProblem } from './error-handler.ts';
import { hostOptions } from './hosts.ts';
import { Problem } from './problems.ts';
import type { RequestIdOf } from './request-ids.ts';

const maxBodyBytes = 64 * 1024;
const maxHeaderBytes = 16 * 1024;

type FrameworkOptions = {
  log: FastifyBaseLogger;
  timeouts: ConnectionTimeouts;
  trustedProxies: readonly string[];
  headers: Readonly<Record<string, string>>;
  requestIdOf: RequestIdOf;
  onProblem(problem: Problem): void;
};

export const openFramework = (options: FrameworkOptions) => {
  const { log, timeouts, trustedProxies, headers, requestIdOf, onProblem } = options;
  const { headersMs: headersTimeout, checkMs: connectionsCheckingInterval } = timeouts;
  return fastify({
    loggerInstance: log,
    genReqId: requestIdOf,
    // At `info`, each request would add two lines, which help only in a search for a fault.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    forceCloseConnections: 'idle',
    // By default the framework gives up a stop after ten seconds, whatever STOP_DELAY_MS says.
    pluginTimeout: 0,
    // A stop serves the requests that were sent before it, and then closes their connections.
    return503OnClosing: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: maxBodyBytes,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.idleMs,
    connectionTimeout: timeouts.silenceMs,
    http: { ...hostOptions, headersTimeout, connectionsCheckingInterval, maxHeaderSize: maxHeaderBytes },
    // The limit fits the longest e-mail address (RFC 5321, section 4.5.3.1), with each letter percent-encoded.
    routerOptions: { maxParamLength: 1000 },
    clientErrorHandler: clientErrorHandler(headers, onProblem),
    frameworkErrors: (_error, request, reply) => {
      const problem = new Problem('MALFORMED_REQUEST');
      onProblem(problem);
      sendProblem(request, reply.headers(headers), problem);
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
};
