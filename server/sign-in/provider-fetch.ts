/** How the store reads the identity provider's responses. */

import { subscribe } from 'node:diagnostics_channel';
import { TLSSocket } from 'node:tls';

/** Far more than any document of OpenID Connect has. Without a limit a response could take all of the memory. */
export const maxResponseBytes = 256 * 1024;

/**
 * When the certificate of each of the provider's hosts expires, in milliseconds since 1970, as it was at the last connection.
 * The server fetches from its provider alone.
 */
export const certificateExpiries: ReadonlyMap<string, number> = watchCertificates();

function watchCertificates(): Map<string, number> {
  const expiries = new Map<string, number>();
  // Of Node's fetch, which shows its connections nowhere else.
  subscribe('undici:client:connected', (message) => {
    const { socket, connectParams } = message as { socket: unknown; connectParams: { host: string } };
    // A connection that resumes a session has no certificate.
    const expiry = socket instanceof TLSSocket ? socket.getPeerCertificate()?.valid_to : undefined;
    if (expiry !== undefined) expiries.set(connectParams.host, Date.parse(expiry));
  });
  return expiries;
}

/**
 * A `fetch` for openid-client and jose that reads the whole body before it returns, so that the `signal` of the call limits
 * the time of the body as well.
 * @throws when the body is longer than {@link maxResponseBytes}, decompressed; it reads no further, and closes the connection.
 */
export async function fetchLimited(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, options);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxResponseBytes) throw new Error(`the response has more than ${maxResponseBytes} bytes`);
    chunks.push(chunk);
  }
  const { status, headers } = response;
  return new Response(size === 0 ? null : Buffer.concat(chunks), { status, headers });
}
