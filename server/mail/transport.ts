import { createTransport } from 'nodemailer';
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
const defaultTimeouts = { connect: 10_000, silence: 20_000, send: 60_000 };
/** More would look like an attack to the servers of providers. */
const maxConnections = 5;

/** Opens no connection before the first message. @param url with the user and the password, percent-encoded. */
export function openTransport(url: URL, timeouts = defaultTimeouts): Transport {
  const isSecure = url.protocol === 'smtps:';
  const user = decodeURIComponent(url.username);
  const pass = decodeURIComponent(url.password);
  const options = {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (isSecure ? 465 : 587),
    secure: isSecure,
    // Without it a man in the middle would get the password, by hiding that the server can encrypt.
    requireTLS: user !== '' && !isLoopback(url.hostname),
    ...(user && { auth: { user, pass } }),
    connectionTimeout: timeouts.connect,
    greetingTimeout: timeouts.connect,
    socketTimeout: timeouts.silence,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  const transporter = createTransport({ ...options, pool: true, maxConnections });
  return {
    async send({ replyTo, ...message }) {
      try {
        await transporter.sendMail({
          ...message,
          ...(replyTo && { replyTo }),
          // No out-of-office note answers it (RFC 3834, section 5).
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal: AbortSignal.timeout(timeouts.send),
        });
      } catch (error) {
        throw deliveryError(error, { user, pass });
      }
    },
    async checkLogin() {
      // forceAuth: otherwise a server that offers no login would pass.
      const checker = createTransport({ ...options, forceAuth: user !== '' });
      await checker.verify().catch((error: unknown) => {
        throw deliveryError(error, { user, pass });
      });
    },
    close: () => transporter.close({ force: true }),
  };
}

type SmtpError = {
  code?: unknown;
  responseCode?: unknown;
  response?: unknown;
  command?: unknown;
  message?: unknown;
};

function deliveryError(error: unknown, login: Login): DeliveryError {
  const { code, responseCode, response, command, message }: SmtpError =
    typeof error === 'object' && error !== null ? error : {};
  const details = {
    message: withoutAddresses(withoutLogin(String(response ?? message ?? code ?? 'unknown error'), login)),
    code: String(responseCode ?? code ?? 'unknown'),
    cause: error,
  };
  // RFC 5321, section 4.2.1: 5yz will not change, 4yz may. A refused login or sender concerns all messages.
  const concernsMessage = (code === 'EENVELOPE' || code === 'EMESSAGE') && command !== 'MAIL FROM';
  if (!concernsMessage) return new DeliveryError('server', details);
  return new DeliveryError(Number(responseCode) >= 500 ? 'message' : 'later', details);
}

type Login = { user: string; pass: string };

/** Some servers repeat what was sent, also in the Base64 of AUTH PLAIN and AUTH LOGIN (RFC 4616). */
function withoutLogin(text: string, { user, pass }: Login): string {
  const plain = [`\0${user}\0${pass}`, pass, user].filter((part) => part !== '' && part !== '\0\0');
  const sent = plain.flatMap((part) => [Buffer.from(part).toString('base64'), part]);
  return sent.reduce((rest, part) => rest.replaceAll(part, '…'), text);
}

const maxExplanation = 300;

const withoutAddresses = (text: string): string =>
  text
    .replace(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, '…')
    .replace(/\s+/g, ' ')
    .slice(0, maxExplanation);
