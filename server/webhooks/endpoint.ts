import { createHmac } from 'node:crypto';
import {
  AddressNotAllowedError,
  isPublicAddress,
  type OutgoingParts,
  sendOutgoing,
} from '../http/outgoing.ts';
import { DeliveryError } from '../outbox/delivery-error.ts';
import type { Settings } from '../settings/settings.ts';

export type EndpointSettings = NonNullable<Settings['webhook']>;

export type Endpoint = {
  /** Sends a webhook. @throws {DeliveryError} after 15 seconds at most. Then it is unknown whether the receiver took the message. */
  send(message: { id: string; body: string }): Promise<void>;
  close(): void;
};

const maxRetryAfterMs = 60 * 60_000;

/**
 * Makes the sender; it connects at the first message. Only the status of a response is read, and redirects are not followed
 * (https://www.standardwebhooks.com).
 */
export function openEndpoint(
  { url, secrets, isPrivateAllowed }: EndpointSettings,
  { timeoutMs = 15_000, ...parts }: OutgoingParts & { timeoutMs?: number } = {},
): Endpoint {
  const closing = new AbortController();
  const isInClear = url.protocol === 'http:';
  const isAllowed = (address: string) => (isPublicAddress(address) ? !isInClear : isPrivateAllowed);
  return {
    async send({ id, body }) {
      const timeout = AbortSignal.timeout(timeoutMs);
      const timestamp = Math.floor(Date.now() / 1000);
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Colophon',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        // While secrets are replaced, the receiver may know only one of the two.
        'webhook-signature': secrets
          .map((secret) => signatureOf(`${id}.${timestamp}.${body}`, secret))
          .join(' '),
      };
      const signal = AbortSignal.any([timeout, closing.signal]);
      const response = await sendOutgoing(
        url,
        { method: 'POST', headers, body, signal },
        { isAllowed, ...parts },
      ).catch((error: unknown) => {
        throw connectionError(error, timeout.aborted ? timeoutMs : undefined);
      });
      response.destroy();
      const { statusCode = 0 } = response;
      if (statusCode < 200 || statusCode > 299) throw refusal(statusCode, response.headers['retry-after']);
    },
    close: () => closing.abort(),
  };
}

const signatureOf = (signed: string, secret: Buffer): string =>
  `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`;

function connectionError(error: unknown, timeoutMs: number | undefined): DeliveryError {
  const failed = (code: string, message: string) =>
    new DeliveryError('server', { code, message, cause: error });
  if (timeoutMs !== undefined) return failed('TIMEOUT', `No answer within ${timeoutMs / 1000} seconds.`);
  if (error instanceof AddressNotAllowedError) {
    return failed(
      'NOT_ALLOWED',
      'WEBHOOK_URL leads into a private network, which needs WEBHOOK_PRIVATE=on, or out of it without https.',
    );
  }
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  return failed(String(code), `No connection (${code}).`);
}

/** @param retryAfter seconds or a date (RFC 9110, section 10.2.3). */
function refusal(status: number, retryAfter = ''): DeliveryError {
  const code = String(status);
  if (status === 410) {
    return new DeliveryError('message', { code, message: 'The receiver wants no more events (410 Gone).' });
  }
  const message = `The receiver answers with status ${status}.`;
  const isBusy = status >= 500 || status === 408 || status === 429;
  if (!isBusy) return new DeliveryError('later', { code, message });
  const now = Date.now();
  const asked = now + Number(retryAfter) * 1000 || Date.parse(retryAfter) || 0;
  return new DeliveryError('server', { code, message, notBefore: Math.min(asked, now + maxRetryAfterMs) });
}
