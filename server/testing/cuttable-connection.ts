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
  /** Queries are answered, and PostgreSQL's notifications lost, as by a pooler that lends connections by the transaction. */
  deafen(): void;
  mend(): Promise<void>;
  close(): Promise<void>;
};

export async function openCuttableConnection(serverUrl: string): Promise<CuttableConnection> {
  const url = new URL(serverUrl);
  const target = { host: url.hostname, port: Number(url.port) };
  const sockets = new Set<Socket>();
  let isSilent = false;
  let isDeaf = false;

  const proxy = createServer((client) => {
    const server = connect(target);
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(socket);
      socket.on('data', (data) => {
        if (!isSilent) other.write(isDeaf && socket === server ? withoutNotifications(data) : data);
      });
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
    deafen() {
      isDeaf = true;
    },
    async mend() {
      isSilent = false;
      isDeaf = false;
      if (!proxy.listening) await listen(port);
    },
    async close() {
      if (proxy.listening) await cut();
    },
  };
}

const notification = 'A'.charCodeAt(0);

/** @param data whole messages, as PostgreSQL sends small ones: a type, the length of the rest, the rest. */
function withoutNotifications(data: Buffer): Buffer {
  const kept: Buffer[] = [];
  for (let start = 0; start < data.length; ) {
    const end = start + 1 + data.readUInt32BE(start + 1);
    if (data[start] !== notification) kept.push(data.subarray(start, end));
    start = end;
  }
  return Buffer.concat(kept);
}
