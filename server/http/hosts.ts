/** Checks the `Host` of requests: a page of another site can let its own name lead to a store on this machine (DNS rebinding). */

import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { isLoopback, isLoopbackHost } from './loopback.ts';
import { Problem } from './problems.ts';

/** Options of the server: by default Node silently keeps the first of two hosts, and refuses a missing one without headers. */
export const hostOptions = { joinDuplicateHeaders: true, requireHostHeader: false } as const;

/** @param host the address that the store listens on: only one of loopback restricts the names. */
export function openHosts({ host: ownAddress, publicUrl }: { host: string; publicUrl: URL }) {
  const listensAt = `http://${isIPv6(ownAddress) ? `[${ownAddress}]` : ownAddress}`;
  const isOnLoopback = isLoopback(URL.canParse(listensAt) ? new URL(listensAt).hostname : ownAddress);
  const { hostname, port, protocol } = publicUrl;
  // Names are accepted with the default port or without it, because some proxies drop the port.
  const publicHosts = [hostname, `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`];
  const isAccepted = (host: string): boolean => {
    if (namesSeveral(host)) return false;
    return !isOnLoopback || publicHosts.includes(host.toLowerCase()) || isLoopbackHost(host);
  };

  const faultOf = (request: IncomingMessage): Problem | undefined => {
    const { headers, httpVersion, url = '' } = request;
    if (headers.host === undefined) {
      // Health checks of HTTP/1.0 may have no host; later versions must have one, and browsers do (RFC 9112, section 3.2).
      const detail = 'The Host header is missing.';
      return httpVersion === '1.0' ? undefined : new Problem('MALFORMED_REQUEST', { detail });
    }
    if (namesSeveral(headers.host)) return new Problem('TWO_HOSTS');
    // The router would take text behind a # for the query; other parts look for a query only behind a question mark.
    if (url.includes('#')) return new Problem('MALFORMED_REQUEST', { detail: 'The address has a #.' });
    return isAccepted(hostOf(request))
      ? undefined
      : new Problem('MISDIRECTED_REQUEST', { detail: misdirected });
  };

  return {
    accepts: (host: string | undefined): boolean => host !== undefined && isAccepted(host),
    guard(app: FastifyInstance): void {
      app.addHook('onRequest', (request, reply, done) => {
        const fault = faultOf(request.raw);
        if (fault) reply.header('connection', 'close');
        done(fault);
      });
    },
  };
}

const misdirected =
  'Its HOST is a loopback address, so it responds under loopback names and the host of its PUBLIC_URL.';

/** Finds two hosts: Node joins the values of a repeated header with a comma, which no host contains. */
const namesSeveral = (host: string): boolean => host.includes(',');

/** A target with a host counts instead of the header (RFC 9112, section 3.2.2). */
export const hostOf = ({ headers: { host = '' }, url = '' }: IncomingMessage): string =>
  url.startsWith('/') || !URL.canParse(url) ? host : new URL(url).host;

/** Removes a port, which some proxies add: `192.0.2.1:5000` and `[2001:db8::1]:5000`. */
const withPort = /^(?:\[([^\]]+)\]|([^:]+))(?::\d+)?$/;

/** @returns the addresses of `X-Forwarded-For` without ports, after the last entry that is no address: a client can write what comes before. */
export function addressesIn(header: string): string[] {
  const entries = header.split(',').map((entry) => {
    const [, bracketed, plain] = withPort.exec(entry.trim()) ?? [];
    return bracketed ?? plain ?? entry.trim();
  });
  return entries.slice(entries.findLastIndex((entry) => isIP(entry) === 0) + 1);
}

/** Cleans the addresses that `request.ip` comes from: with ports, each connection would be another client of the rate limits. */
export function cleanForwardedFor(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    const header = headers['x-forwarded-for'];
    if (header !== undefined) headers['x-forwarded-for'] = addressesIn(String(header)).join(', ');
    done();
  });
}
