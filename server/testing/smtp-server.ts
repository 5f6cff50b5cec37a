/** A real SMTP server, which stores the messages that it accepts. */

import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

type ReceivedMail = { to: string[]; raw: string; messageId: string };
export type TestSmtpServer = Awaited<ReturnType<typeof openSmtpServer>>;

type Refusal = { code: number; message: string };
const errorOf = (refusal: Refusal | undefined) =>
  refusal && Object.assign(new Error(refusal.message), { responseCode: refusal.code });

export type SmtpOptions = {
  port?: number;
  /** Called for each recipient. */
  refuse?: (address: string) => Refusal | undefined;
  /** Called with each message before it is accepted; an error breaks the connection. */
  beforeTaking?: (mail: ReceivedMail) => Promise<void> | void;
  /** True to offer a login, in clear text, which succeeds. */
  onLogin?: (password: string | undefined) => void;
  /** True to offer a login that fails. */
  refuseLogin?: Refusal;
};

export async function openSmtpServer({
  port = 0,
  refuse,
  beforeTaking,
  onLogin,
  refuseLogin,
}: SmtpOptions = {}) {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    // A certificate that the server made itself would be refused.
    disabledCommands: onLogin || refuseLogin ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, callback) {
      onLogin?.(password ?? undefined);
      callback(errorOf(refuseLogin), { user: username });
    },
    logger: false,
    onRcptTo({ address }, _session, callback) {
      callback(errorOf(refuse?.(address)));
    },
    async onData(stream, session, callback) {
      try {
        const raw = await text(stream);
        // A long header is on a line of its own.
        const messageId = /^Message-ID:\s+(\S+)$/im.exec(raw)?.[1] ?? '';
        const mail = { to: session.envelope.rcptTo.map(({ address }) => address), raw, messageId };
        await beforeTaking?.(mail);
        mails.push(mail);
        callback();
      } catch {
        for (const socket of sockets) if (socket.remotePort === session.remotePort) socket.destroy();
      }
    },
  });
  const sockets = socketsOf(server.server);
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: urlOf(server.server),
    mails,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** A server that accepts connections and sends nothing. */
export async function openSilentServer() {
  const server = createServer();
  const sockets = socketsOf(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: urlOf(server),
    async close() {
      for (const socket of sockets) socket.destroy();
      await once(server.close(), 'close');
    },
  };
}

/** @returns the open connections of a server. */
function socketsOf(server: Pick<Server, 'on'>): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
  });
  return sockets;
}

function urlOf(server: Pick<Server, 'address'>): URL {
  return new URL(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`);
}
