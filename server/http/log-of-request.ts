/** The log of each request: its lines have the request's id, and its trace where it came with one. */

import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { traceOf } from './request-ids.ts';

type Bindings = Record<string, unknown>;
type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/**
 * Opens the log of a request with its first line: most requests write none but that of request-log.ts, and the framework asks for the log
 * of each.
 */
class RequestLog implements FastifyBaseLogger {
  readonly #log: FastifyBaseLogger;
  readonly #bindings: Bindings;
  readonly #request: IncomingMessage;
  #opened: FastifyBaseLogger | undefined;

  constructor(log: FastifyBaseLogger, bindings: Bindings, request: IncomingMessage) {
    this.#log = log;
    this.#bindings = bindings;
    this.#request = request;
  }

  get level() {
    return this.#log.level;
  }

  fatal(...line: unknown[]): void {
    this.#write('fatal', line);
  }

  error(...line: unknown[]): void {
    this.#write('error', line);
  }

  warn(...line: unknown[]): void {
    this.#write('warn', line);
  }

  info(...line: unknown[]): void {
    this.#write('info', line);
  }

  debug(...line: unknown[]): void {
    this.#write('debug', line);
  }

  trace(...line: unknown[]): void {
    this.#write('trace', line);
  }

  silent(...line: unknown[]): void {
    this.#write('silent', line);
  }

  child(bindings: Bindings, options?: object): FastifyBaseLogger {
    return this.#open().child(bindings, options);
  }

  #write(level: Level, line: unknown[]): void {
    // The overloads of a level describe no pass-through.
    (this.#open() as Record<Level, (...line: unknown[]) => void>)[level](...line);
  }

  #open(): FastifyBaseLogger {
    const traceId = traceOf(this.#request);
    this.#opened ??= this.#log.child(traceId === undefined ? this.#bindings : { ...this.#bindings, traceId });
    return this.#opened;
  }
}

/** For the option `childLoggerFactory` of the framework. No route has a level or serializers of its own. */
export const logOfRequest = (
  log: FastifyBaseLogger,
  bindings: Bindings,
  _options: object,
  request: IncomingMessage,
): FastifyBaseLogger => new RequestLog(log, bindings, request);
