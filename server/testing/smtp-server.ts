/** A real SMTP server, which keeps the messages that it takes. */

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

type ReceivedMail = { to: string[]; raw: string; messageId: string };

export type TestSmtpServer = { url: URL; mails: ReceivedMail[]; close(): Promise<void> };

type Refusal = { code: number; message: string };

const errorOf = ({ code, message }: Refusal) => Object.assign(new Error(message), { responseCode: code });

export type SmtpOptions = {
  port?: number;
  /** Called for each recipient. */
  refuse?: (address: string) => Refusal | undefined;
  /** Called with each message before it is taken; an error breaks the connection off instead. */
  beforeTaking?: (mail: ReceivedMail) => Promise<void> | void;
  /** With it the server offers a login, in clear text, which succeeds. */
  onLogin?: (password: string | undefined) => void;
  /** The same for a login that fails. */
  refuseLogin?: Refusal;
};

export async function openSmtpServer({
  port = 0,
  refuse,
  beforeTaking,
  onLogin,
  refuseLogin,
}: SmtpOptions = {}): Promise<TestSmtpServer> {
  const mails: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  const server = new SMTPServer({
    authOptional: true,
    // Its own certificate would be refused.
    disabledCommands: onLogin || refuseLogin ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, callback) {
      onLogin?.(password ?? undefined);
      callback(refuseLogin && errorOf(refuseLogin), { user: username });
    },
    logger: false,
    onRcptTo({ address }, _session, callback) {
      const refusal = refuse?.(address);
      callback(refusal && errorOf(refusal));
    },
    onData(stream, session, callback) {
      text(stream)
        .then(async (raw) => {
          // A long one stands on a line of its own.
          const messageId = /^Message-ID:\s+(\S+)$/im.exec(raw)?.[1] ?? '';
          const mail = { to: session.envelope.rcptTo.map(({ address }) => address), raw, messageId };
          await beforeTaking?.(mail);
          mails.push(mail);
          callback();
        })
        .catch(() => {
          for (const socket of sockets) if (socket.remotePort === session.remotePort) socket.destroy();
        });
    },
  });
  server.on('error', () => undefined);
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
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

/** A server that takes connections and never says a word. */
export async function openSilentServer(): Promise<Pick<TestSmtpServer, 'url' | 'close'>> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    sockets.push(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: urlOf(server),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function urlOf(server: Pick<Server, 'address'>): URL {
  const { port } = server.address() as AddressInfo;
  return new URL(`smtp://127.0.0.1:${port}`);
}
