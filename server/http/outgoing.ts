import { lookup as lookUp } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { request as requestInClear } from './node-http.ts';

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast);
}

export type OutgoingParts = {
  isAllowed?: (address: string) => boolean;
  resolve?: (name: string) => Promise<{ address: string; family: number }[]>;
  ca?: string;
};

export class AddressNotAllowedError extends Error {}

type Outgoing = Pick<RequestOptions, 'method' | 'headers'> & { signal: AbortSignal; body?: string };

/** Checks addresses at the DNS lookup of the connection itself: a name that changes its address later (DNS rebinding) gains nothing. */
export function sendOutgoing(
  url: URL,
  { body, ...options }: Outgoing,
  { isAllowed = isPublicAddress, resolve = resolveAll, ca }: OutgoingParts = {},
): Promise<IncomingMessage> {
  const check = <Found extends { address: string }>(found: Found[]): Found[] => {
    if (found.every(({ address }) => isAllowed(address))) return found;
    throw new AddressNotAllowedError('the address may not be opened');
  };
  const lookup: LookupFunction = (name, _options, done) => {
    const checked = resolve(name).then(check);
    checked.then((found) => done(null, found)).catch((error) => done(error, []));
  };
  const send = url.protocol === 'https:' ? request : requestInClear;
  return new Promise((resolve, reject) => {
    // Node does no lookup for a plain address, so it is checked here.
    const address = url.hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(address)) check([{ address }]);
    // No connection is reused, because an earlier connection was not checked here.
    send(url, { ...options, lookup, agent: false, ...(ca !== undefined && { ca }) }, resolve)
      .on('error', reject)
      // After an unexpected 101 Switching Protocols, Node ends the connection with neither a response nor an error.
      .on('close', () => reject(new Error('the connection was closed without a response')))
      .end(body);
  });
}

const resolveAll = (name: string) => lookUp(name, { all: true });
