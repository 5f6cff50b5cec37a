import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { AddressNotAllowedError, type OutgoingParts, sendOutgoing } from '../http/outgoing.ts';

/** An image that a book cannot have. The message is a sentence for the owner. */
export class WrongImage extends Error {}

type FetchLimits = {
  maxBytes: number;
  /** For all of it, redirects included. */
  timeoutMs: number;
  maxRedirects: number;
};

export const fetchLimits: FetchLimits = { maxBytes: 10 * 1024 * 1024, timeoutMs: 10_000, maxRedirects: 3 };

export type FetchParts = OutgoingParts & { limits?: FetchLimits };

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Fetches an address of the public internet into a file, for a command. Those that it redirects to are checked in the same way. */
export async function fetchImage(address: string, path: string, parts: FetchParts = {}): Promise<void> {
  const limits = parts.limits ?? fetchLimits;
  const signal = AbortSignal.timeout(limits.timeoutMs);
  try {
    let url = new URL(address);
    for (let redirect = 0; ; redirect += 1) {
      const response = await open(url, signal, parts);
      const { statusCode = 0, headers } = response;
      if (!redirects.has(statusCode)) {
        if (statusCode === 200) return await save(response, path, limits.maxBytes, signal);
        response.destroy();
        throw new WrongImage(`The address answers with status ${statusCode}.`);
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

async function save(
  response: IncomingMessage,
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<void> {
  let bytes = 0;
  async function* limited(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > maxBytes)
        throw new WrongImage(`The image is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB.`);
      yield chunk;
    }
  }
  await pipeline(response, limited, createWriteStream(path), { signal });
}
