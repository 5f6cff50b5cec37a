import { createTransport, type NodemailerError } from 'nodemailer';
import { isLoopback } from '../http/loopback.ts';
import { DeliveryError } from '../outbox/delivery-error.ts';
import type { Message } from './messages.ts';

export type Transport = {
  /** @throws {DeliveryError} at the latest after a minute. Then it is not known whether the server took the message. */
  send(message: Message): Promise<void>;
  /** Connects and logs in, and sends nothing. @throws {DeliveryError} */
  checkLogin(): Promise<void>;
  close(): void;
};

/** In milliseconds. `send` is for a server that answers a letter at a time, and so is not silent. */
const defaultTimeouts = { silence: 20_000, send: 60_000 };

/** Opens no connection before the first message. @param url with the user and the password, percent-encoded. */
export function openTransport(url: URL, timeouts = defaultTimeouts): Transport {
  const user = decodeURIComponent(url.username);
  const pass = decodeURIComponent(url.password);
  const options = {
    url: url.href,
    // Without it a man in the middle would get the password, by hiding that the server can encrypt.
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
      // No out-of-office note answers it (RFC 3834, section 5).
      const headers = { 'Auto-Submitted': 'auto-generated' };
      const signal = AbortSignal.timeout(timeouts.send);
      await transporter.sendMail({ ...message, headers, signal }).catch(fail);
    },
    async checkLogin() {
      // forceAuth: otherwise a server that offers no login would pass.
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
  // RFC 5321, section 4.2.1: 5yz will not change, 4yz may. A refused login or sender concerns all messages.
  const concernsMessage = (code === 'EENVELOPE' || code === 'EMESSAGE') && command !== 'MAIL FROM';
  if (!concernsMessage) return new DeliveryError('server', details);
  return new DeliveryError(Number(responseCode) >= 500 ? 'message' : 'later', details);
}

const withoutAddresses = (text: string): string =>
  text
    .replace(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, '…')
    .replace(/\s+/g, ' ')
    .slice(0, 300);
