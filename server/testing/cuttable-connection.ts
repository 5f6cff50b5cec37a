/** A connection to a server that a test can cut, and mend. */

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type CuttableConnection = {
  /** The server's address with this connection in between. */
  url: string;
  /** Ends every connection; new ones are refused. */
  cut(): Promise<void>;
  /** New connections are taken and nothing ever comes back, as from a machine that lost its power. */
  silence(): void;
  mend(): Promise<void>;
  close(): Promise<void>;
};

export async function openCuttableConnection(serverUrl: string): Promise<CuttableConnection> {
  const url = new URL(serverUrl);
  const target = { host: url.hostname, port: Number(url.port) };
  const sockets = new Set<Socket>();
  let isSilent = false;

  const proxy = createServer((client) => {
    const server = connect(target);
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(socket);
      socket.on('data', (data) => isSilent || other.write(data));
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  const listen = async (port: number) => {
    proxy.listen(port, '127.0.0.1');
    await once(proxy, 'listening');
  };
  await listen(0);
  const { port } = proxy.address() as AddressInfo;
  url.host = `127.0.0.1:${port}`;

  const cut = async () => {
    const closed = once(proxy, 'close');
    proxy.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: url.href,
    cut,
    silence() {
      isSilent = true;
    },
    async mend() {
      isSilent = false;
      if (!proxy.listening) await listen(port);
    },
    async close() {
      if (proxy.listening) await cut();
    },
  };
}
