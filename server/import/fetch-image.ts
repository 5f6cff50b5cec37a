import type { IncomingMessage } from 'node:http';
import { AddressNotAllowedError, type OutgoingParts, sendOutgoing } from '../http/outgoing.ts';
import { StartError } from '../start-error.ts';

/** An image that a book cannot have. The message is a sentence for the owner. */
export class WrongImage extends StartError {}

/** The time limit for the whole fetch, redirects included. */
export const fetchLimits = { maxBytes: 10 * 1024 * 1024, timeoutMs: 10_000, maxRedirects: 3 };

export type FetchParts = OutgoingParts & { limits?: typeof fetchLimits };

/** Fetches a public internet address for a command. Each redirect is checked in the same way. */
export async function fetchImage(address: string, parts: FetchParts = {}): Promise<Buffer> {
  const { maxBytes, timeoutMs, maxRedirects } = parts.limits ?? fetchLimits;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    let url = new URL(address);
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const response = await open(url, signal, parts);
      const { statusCode, headers } = response;
      if (statusCode === 200) return await read(response, maxBytes);
      response.destroy();
      if (!headers.location) throw new WrongImage(`The address answers with status ${statusCode}.`);
      url = new URL(headers.location, url);
    }
    throw new WrongImage('The address redirects too often.');
  } catch (cause) {
    if (cause instanceof WrongImage) throw cause;
    if (cause instanceof AddressNotAllowedError)
      throw new WrongImage('The address does not lead to the public internet.', { cause });
    if (signal.aborted)
      throw new WrongImage(`The image did not arrive within ${timeoutMs / 1000} seconds.`, { cause });
    const { code = 'no answer' } = cause as NodeJS.ErrnoException;
    throw new WrongImage(`The image cannot be fetched (${code}).`, { cause });
  }
}

async function open(url: URL, signal: AbortSignal, parts: FetchParts): Promise<IncomingMessage> {
  if (url.protocol !== 'https:') throw new WrongImage('The address leads to one that is not https.');
  // Node would send the user and password of the address.
  if (url.username || url.password) throw new WrongImage('The address has a user or a password.');
  const accept = 'image/avif,image/webp,image/png,image/jpeg,image/gif';
  return await sendOutgoing(url, { headers: { accept, 'user-agent': 'Colophon' }, signal }, parts);
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
