/** How the store reads the identity provider's responses. */

/** Far more than any document of OpenID Connect has. Without a limit a response could take all of the memory. */
const maxResponseBytes = 256 * 1024;

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
