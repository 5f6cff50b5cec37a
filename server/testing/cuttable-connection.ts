/** A proxy in front of a PostgreSQL server, so that a test can break the connection to it and restore it. */

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { endsWithTest } from './ends-with-test.ts';

export type CuttableConnection = {
  /** The server's URL, by way of the proxy. */
  url: string;
  /** Closes every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Accepts connections and forwards nothing, as when the server's machine has lost its power. */
  stall(): void;
  /** Forwards nothing on the connections of now, and everything on new ones, as after a firewall has forgotten them. */
  forget(): void;
  /** Forwards everything later by so much, in its order. */
  delay(ms: number): void;
  /** Forwards requests to cancel by so much later than the rest. */
  delayCancels(ms: number): void;
  /** Breaks the connection of the next transaction that commits, after the server has, and before its answer arrives. */
  loseNextCommit(): void;
  /** Forwards everything again. @param otherUrl of the server that new connections lead to from now on. */
  restore(otherUrl?: string): Promise<void>;
  close(): Promise<void>;
};

/** CancelRequest of PostgreSQL's protocol: the only message on its connection, unless that is encrypted. */
const isCancel = (data: Buffer): boolean => data.length === 16 && data.readInt32BE(4) === 80_877_102;

/**
 * Starts a proxy in front of the PostgreSQL server at this URL. It runs until the test ends.
 * @param fromServer makes of what the server sends what the client gets.
 */
export async function openCuttableConnection(
  serverUrl: string,
  fromServer = (data: Buffer): Buffer => data,
): Promise<CuttableConnection> {
  const url = new URL(serverUrl);
  const targetAt = ({ hostname, port }: URL) => ({ host: hostname, port: Number(port) });
  let target = targetAt(url);
  const sockets = new Set<Socket>();
  const forgotten = new WeakSet<Socket>();
  let isStalled = false;
  let losesNextCommit = false;
  let delayMs = 0;
  let cancelDelayMs = 0;

  const proxy = createServer((client) => {
    const server = connect(target);
    for (const [source, destination] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(source);
      const delayed: { data: Buffer; at: number }[] = [];
      const forward = () => {
        while (delayed[0] && delayed[0].at <= performance.now())
          destination.write(delayed.shift()?.data ?? '');
        if (delayed[0]) setTimeout(forward, delayed[0].at - performance.now());
      };
      source.on('data', (data) => {
        if (losesNextCommit && source === server && data.includes('COMMIT\0')) {
          losesNextCommit = false;
          client.destroy();
          return;
        }
        if (isStalled || forgotten.has(source)) return;
        const sent = source === server ? fromServer(data) : data;
        const laterMs = delayMs + (isCancel(data) ? cancelDelayMs : 0);
        if (laterMs === 0 && delayed.length === 0) return void destination.write(sent);
        delayed.push({ data: sent, at: performance.now() + laterMs });
        if (delayed.length === 1) forward();
      });
      source.on('error', () => {});
      source.on('close', () => {
        sockets.delete(source);
        // Data on its way still arrives.
        const last = delayed.at(-1);
        if (last) setTimeout(() => destination.destroy(), last.at - performance.now() + 10);
        else destination.destroy();
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
  const close = async () => {
    if (proxy.listening) await cut();
  };
  endsWithTest(close);
  return {
    url: url.href,
    cut,
    stall() {
      isStalled = true;
    },
    forget() {
      for (const socket of sockets) forgotten.add(socket);
    },
    delay(ms) {
      delayMs = ms;
    },
    delayCancels(ms) {
      cancelDelayMs = ms;
    },
    loseNextCommit() {
      losesNextCommit = true;
    },
    async restore(otherUrl) {
      if (otherUrl !== undefined) target = targetAt(new URL(otherUrl));
      isStalled = false;
      delayMs = 0;
      cancelDelayMs = 0;
      if (!proxy.listening) await listen(port);
    },
    close,
  };
}
