/** The limit of a response, far above any OpenID Connect document. Without it a response could use up the memory. */
const maxResponseBytes = 256 * 1024;

/** Fetches with the whole body, so that the call's `signal` also limits the body's time. @throws for a body beyond the limit. */
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
