/** A proxy in front of a PostgreSQL server, so that a test can break the connection to it and restore it. */

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { endsWithTest } from './ends-with-test.ts';

export type CuttableConnection = Awaited<ReturnType<typeof openCuttableConnection>>;

/**
 * Starts a proxy in front of the PostgreSQL server at this URL. It runs until the test ends. @param fromServer changes what the server
 * sends before the client gets it.
 */
export async function openCuttableConnection(serverUrl: string, fromServer = (data: Buffer): Buffer => data) {
  const url = new URL(serverUrl);
  let target = url;
  const sockets = new Set<Socket>();
  const forgotten = new WeakSet<Socket>();
  const faults = {
    /** Accepts connections and forwards nothing, as when the server's machine has lost its power. */
    isStalled: false,
    /** Breaks the connection of the next transaction that commits, after the server's commit, and before its answer arrives. */
    losesNextCommit: false,
    /** Delays all data by this time, in its order. */
    delayMs: 0,
  };

  const proxy = createServer((client) => {
    const server = connect({ host: target.hostname, port: Number(target.port) });
    const forward = (source: Socket, destination: Socket) => {
      sockets.add(source);
      let last: Promise<unknown> = Promise.resolve();
      const later = (act: () => unknown, ms: number) => {
        const isDue = ms > 0 ? pause(ms) : undefined;
        last = last.then(() => isDue).then(act);
      };
      source.on('data', (data) => {
        if (faults.losesNextCommit && source === server && data.includes('COMMIT\0')) {
          faults.losesNextCommit = false;
          return void client.destroy();
        }
        if (faults.isStalled || forgotten.has(source)) return;
        const sent = source === server ? fromServer(data) : data;
        later(() => destination.write(sent), faults.delayMs);
      });
      source.on('error', () => {});
      source.on('close', () => {
        sockets.delete(source);
        // Data that was already sent still arrives.
        later(() => destination.destroy(), 0);
      });
    };
    forward(client, server);
    forward(server, client);
  });
  const listen = (port: number) => once(proxy.listen(port, '127.0.0.1'), 'listening');
  await listen(0);
  const { port } = proxy.address() as AddressInfo;

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
    /** The server's URL, by way of the proxy. */
    url: Object.assign(new URL(serverUrl), { host: `127.0.0.1:${port}` }).href,
    faults,
    /** Closes every connection and refuses new ones. */
    cut,
    /** Forwards nothing on the existing connections, but everything on new ones, as after a firewall has forgotten the old ones. */
    forget() {
      for (const socket of sockets) forgotten.add(socket);
    },
    /** Forwards everything again. @param otherUrl of the server that new connections lead to from now on. */
    async restore(otherUrl?: string) {
      if (otherUrl !== undefined) target = new URL(otherUrl);
      Object.assign(faults, { isStalled: false, delayMs: 0 });
      if (!proxy.listening) await listen(port);
    },
    close,
  };
}
