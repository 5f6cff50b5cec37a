/** Fetches the image of a row from its address, for a command: the server never fetches an address that a client sent. */

import { lookup as lookUp } from 'node:dns/promises';
import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isPublicAddress } from './public-addresses.ts';

/** An image that a book cannot have. The message is a sentence for the owner. */
export class WrongImage extends Error {}

type FetchLimits = {
  maxBytes: number;
  /** For all of it, redirects included. */
  timeoutMs: number;
  maxRedirects: number;
};

export const fetchLimits: FetchLimits = { maxBytes: 10 * 1024 * 1024, timeoutMs: 10_000, maxRedirects: 3 };

export type FetchParts = {
  limits?: FetchLimits;
  /** @returns true if a connection to an address may be opened. */
  isAllowed?: (address: string) => boolean;
  /** @returns the addresses of a name. */
  resolve?: (name: string) => Promise<{ address: string; family: number }[]>;
  /** Certificates to trust besides those of the system. */
  ca?: string;
};

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches an address into a file. Each name is resolved here, every address of it is checked, and the connection goes to one that
 * was: a name that leads elsewhere at the second look (DNS rebinding) is of no use. Redirects are checked in the same way.
 * @throws {WrongImage} with the reason.
 */
export async function fetchImage(address: string, path: string, parts: FetchParts = {}): Promise<void> {
  const limits = parts.limits ?? fetchLimits;
  const signal = AbortSignal.timeout(limits.timeoutMs);
  try {
    let url = new URL(address);
    for (let redirect = 0; ; redirect += 1) {
      const response = await open(url, signal, parts);
      const { statusCode = 0, headers } = response;
      if (!redirects.has(statusCode)) {
        if (statusCode !== 200) throw failed(response, `The address answers with status ${statusCode}.`);
        await save(response, path, limits.maxBytes, signal);
        return;
      }
      response.destroy();
      if (redirect === limits.maxRedirects) throw new WrongImage('The address redirects too often.');
      const { location = '' } = headers;
      if (!URL.canParse(location, url.href)) throw new WrongImage('The address redirects to nowhere.');
      url = new URL(location, url);
    }
  } catch (error) {
    if (error instanceof WrongImage) throw error;
    if (signal.aborted) {
      throw new WrongImage(`The image did not arrive within ${limits.timeoutMs / 1000} seconds.`, {
        cause: error,
      });
    }
    const { code = 'no answer' } = error as NodeJS.ErrnoException;
    throw new WrongImage(`The image cannot be fetched (${code}).`, { cause: error });
  }
}

async function open(
  url: URL,
  signal: AbortSignal,
  { isAllowed = isPublicAddress, resolve = resolveAll, ca }: FetchParts,
): Promise<IncomingMessage> {
  if (url.protocol !== 'https:') throw new WrongImage('The address leads to one that is not https.');
  // Node would send them.
  if (url.username || url.password) throw new WrongImage('The address has a user or a password.');
  const name = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const version = isIP(name);
  const found = version ? [{ address: name, family: version }] : await withSignal(resolve(name), signal);
  const [first] = found;
  if (!first || !found.every(({ address }) => isAllowed(address))) {
    throw new WrongImage('The address does not lead to the public internet.');
  }
  // Node asks it for the name; a plain address is used as it is, and was checked.
  const lookup: LookupFunction = (_name, options, done) => {
    if (options.all) done(null, [first]);
    else done(null, first.address, first.family);
  };
  const options: RequestOptions = {
    lookup,
    signal,
    // A connection that was opened before is none that was checked.
    agent: false,
    headers: { accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif', 'user-agent': 'Colophon' },
    ...(ca === undefined ? {} : { ca }),
  };
  return await new Promise((resolve, reject) => {
    request(url, options, resolve).on('error', reject).end();
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

function failed(response: IncomingMessage, reason: string): WrongImage {
  response.destroy();
  return new WrongImage(reason);
}

async function save(
  response: IncomingMessage,
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<void> {
  const tooLarge = `The image is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB.`;
  if (Number(response.headers['content-length']) > maxBytes) throw failed(response, tooLarge);
  let bytes = 0;
  const limit = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) done(new WrongImage(tooLarge));
      else done(null, chunk);
    },
  });
  await pipeline(response, limit, createWriteStream(path), { signal });
}
