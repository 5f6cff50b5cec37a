import type { IncomingMessage } from 'node:http';
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

/** Fetches an address of the public internet, for a command. Those that it redirects to are checked in the same way. */
export async function fetchImage(address: string, parts: FetchParts = {}): Promise<Buffer> {
  const { maxBytes, timeoutMs, maxRedirects } = parts.limits ?? fetchLimits;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    let url = new URL(address);
    for (let redirect = 0; redirect <= maxRedirects; redirect += 1) {
      const response = await open(url, signal, parts);
      const { statusCode = 0, headers } = response;
      if (statusCode === 200) return await read(response, maxBytes);
      response.destroy();
      if (!redirects.has(statusCode)) throw new WrongImage(`The address answers with status ${statusCode}.`);
      const { location = '' } = headers;
      if (!URL.canParse(location, url.href)) throw new WrongImage('The address redirects to nowhere.');
      url = new URL(location, url);
    }
    throw new WrongImage('The address redirects too often.');
  } catch (error) {
    if (error instanceof WrongImage) throw error;
    throw new WrongImage(reasonOf(error, signal, timeoutMs), { cause: error });
  }
}

function reasonOf(error: unknown, { aborted }: AbortSignal, timeoutMs: number): string {
  if (error instanceof AddressNotAllowedError) return 'The address does not lead to the public internet.';
  if (aborted) return `The image did not arrive within ${timeoutMs / 1000} seconds.`;
  const { code = 'no answer' } = error as NodeJS.ErrnoException;
  return `The image cannot be fetched (${code}).`;
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

async function read(response: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new WrongImage(`The image is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
