/** Far more than any document of OpenID Connect has. Without a limit a response could take all of the memory. */
const maxResponseBytes = 256 * 1024;

/** Reads the whole body before it returns, so that the `signal` of the call limits its time as well. @throws for a longer body. */
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

/** Some providers send null for `scope` or `refresh_token`. */
function withoutNulls(body: Buffer): Buffer {
  try {
    return Buffer.from(JSON.stringify(JSON.parse(body.toString(), (_name, value) => value ?? undefined)));
  } catch {
    return body;
  }
}
