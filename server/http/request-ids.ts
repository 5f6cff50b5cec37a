import { randomInt } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';

export const requestIdHeader = 'x-request-id';

const usableId = /^[\w.:+/=-]{1,128}$/;

/** The letters of ids, without those that are easily misheard or misread. */
const letters = 'abcdefghjkmnpqrstvwxyz23456789';
const processPart = Array.from({ length: 6 }, () => letters.charAt(randomInt(letters.length))).join('');
let requests = 0;

/** An id such as `k7wq2m-1043`: six letters of this process, and the number of its request. */
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
    trusted.addSubnet(address, Number(bits), familyOf(address));
  }
  return ({ headers: { [requestIdHeader]: given = '' }, socket: { remoteAddress = '' } }) =>
    usableId.test(String(given)) && trusted.check(remoteAddress, familyOf(remoteAddress))
      ? String(given)
      : nextRequestId();
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');
