import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** `192.0.2.1:5000` and `[2001:db8::1]:5000`: some proxies add the port. */
const withPort = /^(?:\[(?<bracketed>[^\]]+)\]|(?<plain>[^:]+))(?::\d+)?$/;

/**
 * @param header the value of `X-Forwarded-For`, in which each proxy adds the address of its peer.
 * @returns the addresses without ports, from the last one that is none: a client can write whatever is left of that.
 */
export function addressesIn(header: string): string[] {
  const addresses: string[] = [];
  for (const entry of header.split(',').toReversed()) {
    const text = entry.trim();
    const { bracketed, plain } = withPort.exec(text)?.groups ?? {};
    const address = bracketed ?? plain ?? text;
    if (isIP(address) === 0) break;
    addresses.unshift(address);
  }
  return addresses;
}

/**
 * Lets `request.ip` be an IP address in any case. The framework takes the text that a trusted proxy passes on as it is: with
 * the port each connection would be another client of the limits, and the audit trail would have any text of a client.
 */
export function cleanForwardedFor(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    const header = headers['x-forwarded-for'];
    if (header !== undefined) headers['x-forwarded-for'] = addressesIn(String(header)).join(', ');
    done();
  });
}
