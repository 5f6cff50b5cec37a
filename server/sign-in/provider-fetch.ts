/** How the store reads the identity provider's responses. */

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { TLSSocket } from 'node:tls';

/** Far more than any document of OpenID Connect has. Without a limit a response could take all of the memory. */
export const maxResponseBytes = 256 * 1024;

/** The provider may have left a host that is not connected to for so long. */
const hostLifetimeMs = 24 * 60 * 60 * 1000;

export type CertificateWatch = {
  /** @returns by host, in milliseconds since 1970, when the certificate expires: as it was at the last connection, within a day. */
  expiries(): ReadonlyMap<string, number>;
  stop(): void;
};

/** Watches the connections of `fetch`: the server fetches from its provider alone. */
export function watchCertificates(): CertificateWatch {
  const hosts = new Map<string, { expiry: number; connectedAt: number }>();
  // The channel is that of Node's fetch, which shows its connections nowhere else.
  const channel = 'undici:client:connected';
  const onConnected = (message: unknown) => {
    const { socket, connectParams } = message as { socket: unknown; connectParams: { host: string } };
    const { host } = connectParams;
    const validTo = socket instanceof TLSSocket ? socket.getPeerCertificate()?.valid_to : undefined;
    // A connection that resumes a session has no certificate.
    const expiry = validTo === undefined ? hosts.get(host)?.expiry : Date.parse(validTo);
    if (expiry !== undefined) hosts.set(host, { expiry, connectedAt: Date.now() });
  };
  subscribe(channel, onConnected);
  return {
    expiries() {
      for (const [host, { connectedAt }] of hosts) {
        if (Date.now() - connectedAt > hostLifetimeMs) hosts.delete(host);
      }
      return new Map([...hosts].map(([host, { expiry }]) => [host, expiry]));
    },
    stop: () => void unsubscribe(channel, onConnected),
  };
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
  return new Response(size === 0 ? null : withoutNulls(Buffer.concat(chunks)), { status, headers });
}

/** @returns JSON without members that are null, as some providers send them for `scope` or `refresh_token`; another body as it is. */
function withoutNulls(body: Buffer): Buffer {
  try {
    return Buffer.from(JSON.stringify(JSON.parse(body.toString(), (_name, value) => value ?? undefined)));
  } catch {
    return body;
  }
}
