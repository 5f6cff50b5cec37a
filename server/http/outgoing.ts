/** Requests to addresses that a setting or a row of an import names. The store opens only those that are allowed. */

import { lookup as lookUp } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { request as requestInClear } from './node-http.ts';

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** @returns whether an IPv4 or IPv6 address, in any notation, is one of the public internet. */
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

/**
 * Sends a request, and follows no redirect. The name is resolved once, each of its addresses is checked, and the connection goes
 * to a checked one: a name that leads elsewhere at a second lookup (DNS rebinding) gains nothing.
 * @returns the response, whose body is unread.
 * @throws {AddressNotAllowedError}; or the error of the connection, or the signal's reason.
 */
export async function sendOutgoing(
  url: URL,
  { signal, body, ...options }: Outgoing,
  { isAllowed = isPublicAddress, resolve = resolveAll, ca }: OutgoingParts = {},
): Promise<IncomingMessage> {
  const name = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const version = isIP(name);
  const found = version ? [{ address: name, family: version }] : await withSignal(resolve(name), signal);
  const [first] = found;
  if (!first || !found.every(({ address }) => isAllowed(address))) {
    throw new AddressNotAllowedError('the address may not be opened');
  }
  // Node asks it for the name; a plain address is used as it is, and was checked.
  const lookup: LookupFunction = (_name, options, done) => {
    if (options.all) done(null, [first]);
    else done(null, first.address, first.family);
  };
  const send = url.protocol === 'https:' ? request : requestInClear;
  return await new Promise((resolve, reject) => {
    send(
      url,
      {
        ...options,
        lookup,
        signal,
        // No connection is reused: an earlier one was not checked here.
        agent: false,
        ...(ca === undefined ? {} : { ca }),
      },
      resolve,
    )
      .on('error', reject)
      .end(body);
  });
}

const resolveAll = (name: string) => lookUp(name, { all: true });

/** A lookup has no time limit. */
const withSignal = <Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> =>
  Promise.race([
    promise,
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    }),
  ]);
