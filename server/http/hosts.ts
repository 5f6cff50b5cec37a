/**
 * Under which names the store responds. A page of another site can let its own name lead to a store that listens on this
 * machine alone (DNS rebinding), and would then read and write there as if it were the store's own page. Its requests
 * carry the page's own name as `Host`.
 */

import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { isLoopback, isLoopbackHost } from './loopback.ts';
import { Problem } from './problems.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The host that the request named, of a store that is not reached under it. For the log. */
    refusedHost?: string;
  }
}

/** For the server: Node would keep the first of two hosts silently, and refuse a missing one without headers. */
export const hostOptions = { joinDuplicateHeaders: true, requireHostHeader: false } as const;

/**
 * @param host the address that the store listens on. On a loopback address the store responds under loopback names and the
 * host of its public URL; on any other address it responds under every name.
 */
export function openHosts({ host: ownAddress, publicUrl }: { host: string; publicUrl: URL }) {
  // Also for other spellings of an address, such as 127.1.
  const listensAt = `http://${isIPv6(ownAddress) ? `[${ownAddress}]` : ownAddress}`;
  const isOnLoopback = isLoopback(URL.canParse(listensAt) ? new URL(listensAt).hostname : ownAddress);
  const publicHosts = new Set(hostsOf(publicUrl));
  const isAccepted = (host: string): boolean => {
    if (namesSeveral(host)) return false;
    return !isOnLoopback || publicHosts.has(host.toLowerCase()) || isLoopbackHost(host);
  };

  const faultOf = ({ headers, httpVersion, url = '' }: IncomingMessage): Problem | undefined => {
    if (headers.host === undefined) {
      // Health checks of HTTP/1.0 send none; later versions must, and browsers do (RFC 9112, section 3.2).
      const detail = 'The Host header is missing.';
      return httpVersion === '1.0' ? undefined : new Problem('MALFORMED_REQUEST', { detail });
    }
    if (namesSeveral(headers.host)) return new Problem('TWO_HOSTS');
    // The router would take what follows for the query, which other parts look for behind a question mark.
    if (url.includes('#')) return new Problem('MALFORMED_REQUEST', { detail: 'The address has a #.' });
    return isAccepted(hostOf(headers.host, url))
      ? undefined
      : new Problem('MISDIRECTED_REQUEST', { detail: misdirected });
  };

  return {
    /** @returns true for a `Host` that may be answered. */
    accepts: (host: string | undefined): boolean => host !== undefined && isAccepted(host),
    /** Makes the app refuse a request that names another host, two hosts, or none at all. */
    guard(app: FastifyInstance): void {
      app.addHook('onRequest', (request, reply, done) => {
        const fault = faultOf(request.raw);
        if (fault) reply.header('connection', 'close');
        const { headers, url = '' } = request.raw;
        // A name of 253 characters (RFC 1035, section 2.3.4) and a port.
        if (fault?.code === 'MISDIRECTED_REQUEST')
          request.refusedHost = hostOf(headers.host, url).slice(0, 259);
        done(fault);
      });
    },
  };
}

const misdirected =
  'Its HOST is a loopback address, so it responds under loopback names and the host of its PUBLIC_URL.';

/** With {@link hostOptions} the values of a repeated header are joined with a comma, which no host contains. */
const namesSeveral = (host: string): boolean => host.includes(',');

/** With the default port written or left out. Some proxies pass the name on without any port. */
const hostsOf = ({ hostname, port, protocol }: URL): string[] => [
  hostname,
  `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`,
];

/** A target with a host counts instead of the header (RFC 9112, section 3.2.2). */
const hostOf = (header = '', target = ''): string =>
  target.startsWith('/') || !URL.canParse(target) ? header : new URL(target).host;
