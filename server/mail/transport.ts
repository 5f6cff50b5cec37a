import { createTransport, type NodemailerError } from 'nodemailer';
import { isLoopback } from '../http/loopback.ts';
import { DeliveryError } from '../outbox/delivery-error.ts';
import type { Message } from './messages.ts';

export type Transport = {
  /** Sends a message. @throws {DeliveryError} after a minute at most. Then it is unknown whether the server took the message. */
  send(message: Message): Promise<void>;
  /** Connects and logs in, and sends nothing. @throws {DeliveryError} */
  checkLogin(): Promise<void>;
  close(): void;
};

/** Timeouts in milliseconds. `send` limits the whole call, for a server that answers one letter at a time, and so is never silent. */
const defaultTimeouts = { silence: 20_000, send: 60_000 };

/** Makes the transport; it connects at the first message. @param url with the user and the password, percent-encoded. */
export function openTransport(url: URL, timeouts = defaultTimeouts): Transport {
  const user = decodeURIComponent(url.username);
  const pass = decodeURIComponent(url.password);
  const options = {
    url: url.href,
    // Without this, an attacker in the network could hide that the server can encrypt, and read the password.
    requireTLS: user !== '' && !isLoopback(url.hostname),
    connectionTimeout: timeouts.silence,
    greetingTimeout: timeouts.silence,
    socketTimeout: timeouts.silence,
  };
  const transporter = createTransport({ ...options, pool: true });
  // Some servers repeat what was sent, also in the Base64 of AUTH PLAIN and AUTH LOGIN (RFC 4616).
  const login = [`\0${user}\0${pass}`, pass, user].filter((part) => part.replaceAll('\0', '') !== '');
  const secrets = login.flatMap((part) => [Buffer.from(part).toString('base64'), part]);
  const fail = (error: NodemailerError): never => {
    throw deliveryError(error, secrets);
  };
  return {
    async send(message) {
      // This header prevents out-of-office replies (RFC 3834, section 5).
      const headers = { 'Auto-Submitted': 'auto-generated' };
      const signal = AbortSignal.timeout(timeouts.send);
      await transporter.sendMail({ ...message, headers, signal }).catch(fail);
    },
    async checkLogin() {
      // With forceAuth, a server that offers no login fails the check.
      await createTransport({ ...options, forceAuth: user !== '' })
        .verify()
        .catch(fail);
    },
    close: () => transporter.close({ force: true }),
  };
}

function deliveryError(error: NodemailerError, secrets: readonly string[]): DeliveryError {
  const { code, responseCode, response, command, message } = error;
  const shown = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), response ?? message);
  const details = {
    message: withoutAddresses(shown),
    code: String(responseCode ?? code ?? 'unknown'),
    cause: error,
  };
  // RFC 5321, section 4.2.1: codes 5yz are permanent, 4yz may change. A refused login or sender concerns all messages.
  const concernsMessage = (code === 'EENVELOPE' || code === 'EMESSAGE') && command !== 'MAIL FROM';
  if (!concernsMessage) return new DeliveryError('server', details);
  return new DeliveryError(Number(responseCode) >= 500 ? 'message' : 'later', details);
}

const withoutAddresses = (text: string): string =>
  text
    .replace(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, '…')
    .replace(/\s+/g, ' ')
    .slice(0, 300);
