import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isLoopback, isLoopbackHost } from '../http/loopback.ts';
import { Problem } from '../http/problems.ts';

/** Headers that proxies add, such as `X-Real-IP` and `CF-Connecting-IP`: the request may come from another machine. */
const forwardingHeader =
  /^(forwarded|via|cdn-loop|x-(original-)?forwarded-.+|(.+-)?(real|client|connecting)-ip)$/;

/** Without a token, the request must come from this machine, and its `Host` must name this machine: this stops DNS rebinding. */
export function admitOperator({ headers, socket }: IncomingMessage, token: string | undefined): void {
  if (token !== undefined) {
    const [, sent = ''] = /^bearer +(.+)$/i.exec(headers.authorization ?? '') ?? [];
    if (!isSameSecret(sent, token)) throw new Problem('TOKEN_REQUIRED');
    return;
  }
  const isDirect = !Object.keys(headers).some((name) => forwardingHeader.test(name));
  // The socket’s address: with TRUST_PROXY the framework's address of the client is what a proxy sent.
  const isFromHere = isLoopback(socket.remoteAddress ?? '') && isLoopbackHost(headers.host ?? '');
  if (isDirect && isFromHere) return;
  throw new Problem('NOT_ALLOWED', { detail: 'From elsewhere this address needs a METRICS_TOKEN.' });
}

/** Hashes have equal lengths, which a comparison in constant time needs. */
function isSameSecret(one: string, other: string): boolean {
  const hash = (secret: string) => createHash('sha256').update(secret).digest();
  return timingSafeEqual(hash(one), hash(other));
}
