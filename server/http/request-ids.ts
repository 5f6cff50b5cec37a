/**
 * The id of each request: the answer, a problem document and the log have it, so that a customer who reads an id aloud can
 * be helped.
 */

import { randomInt } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import type { FastifyInstance } from 'fastify';

export const requestIdHeader = 'x-request-id';
/** W3C Trace Context, section 3.2. */
const traceHeader = 'traceparent';

/** Headers of one exchange alone: a stored response has none of them. */
export const headersOfOneExchange: ReadonlySet<string> = new Set([requestIdHeader, traceHeader]);

/** Ids that proxies make: UUIDs, hexadecimal numbers, base64. */
const usableId = /^[\w.:+/=-]{1,128}$/;
/**
 * Version 00 and its successors: version, trace, parent and flags. A trace or parent of zeros alone is invalid. Only successors
 * have more behind that; a long text would be sent back with each answer.
 */
const usableTrace =
  /^(?!ff|00.{54})[\da-f]{2}-(?!0{32})(?<trace>[\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-.{0,200})?$/;

/** Without letters that are easily misheard or misread. */
const letters = 'abcdefghjkmnpqrstvwxyz23456789';
const processPart = Array.from({ length: 6 }, () => letters.charAt(randomInt(letters.length))).join('');
let requests = 0;

/** @returns a new id, such as `k7wq2m-1043`: six letters of this process, and a number that counts its requests. */
export const nextRequestId = (): string => {
  requests += 1;
  return `${processPart}-${requests}`;
};

export type RequestIdOf = (request: IncomingMessage) => string;

/** @param trustedProxies networks in CIDR form; a proxy in one of them may name the request by `X-Request-Id`. */
export function openRequestIds(trustedProxies: readonly string[]): RequestIdOf {
  const trusted = new BlockList();
  for (const network of trustedProxies) {
    const [address = '', bits] = network.split('/');
    trusted.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  const isTrusted = ({ socket }: IncomingMessage): boolean => {
    const address = socket.remoteAddress;
    return address !== undefined && trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  };
  const givenId = (request: IncomingMessage): string | undefined => {
    const given = request.headers[requestIdHeader];
    return typeof given === 'string' && usableId.test(given) && isTrusted(request) ? given : undefined;
  };
  return (request) => (trustedProxies.length > 0 ? givenId(request) : undefined) ?? nextRequestId();
}

export function sendRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(requestIdHeader, request.id);
    if (traceOf(request.raw) !== undefined) reply.header(traceHeader, request.headers[traceHeader]);
    done();
  });
}

export function traceOf({ headers }: IncomingMessage): string | undefined {
  const header = headers[traceHeader];
  return typeof header === 'string' ? usableTrace.exec(header)?.groups?.['trace'] : undefined;
}
