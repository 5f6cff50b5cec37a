/** Fetches the image of a row from its address, for a command: the server never fetches an address that a client sent. */

import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AddressNotAllowedError, type OutgoingParts, sendOutgoing } from '../http/outgoing.ts';

/** An image that a book cannot have. The message is a sentence for the owner. */
export class WrongImage extends Error {}

export type FetchLimits = {
  maxBytes: number;
  /** For all of it, redirects included. */
  timeoutMs: number;
  maxRedirects: number;
};

export const fetchLimits: FetchLimits = { maxBytes: 10 * 1024 * 1024, timeoutMs: 10_000, maxRedirects: 3 };

export type FetchParts = OutgoingParts & { limits?: FetchLimits };

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches an address of the public internet into a file; those that it redirects to are checked in the same way.
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
    if (error instanceof AddressNotAllowedError) {
      throw new WrongImage('The address does not lead to the public internet.', { cause: error });
    }
    if (signal.aborted) {
      throw new WrongImage(`The image did not arrive within ${limits.timeoutMs / 1000} seconds.`, {
        cause: error,
      });
    }
    const { code = 'no answer' } = error as NodeJS.ErrnoException;
    throw new WrongImage(`The image cannot be fetched (${code}).`, { cause: error });
  }
}

async function open(url: URL, signal: AbortSignal, parts: FetchParts): Promise<IncomingMessage> {
  if (url.protocol !== 'https:') throw new WrongImage('The address leads to one that is not https.');
  // Node would send them.
  if (url.username || url.password) throw new WrongImage('The address has a user or a password.');
  const headers = {
    accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif',
    'user-agent': 'Colophon',
  };
  return await sendOutgoing(url, { headers, signal }, parts);
}

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
