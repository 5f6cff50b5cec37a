import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** @returns the addresses to listen on: all of `localhost`, which may be an IPv4 and an IPv6 one; otherwise the host itself. */
export const addressesOf = async (host: string): Promise<string[]> =>
  host === 'localhost' ? (await lookup(host, { all: true })).map(({ address }) => address) : [host];

/**
 * Listens on a port of several addresses with one HTTP server. Fastify's own way is a server for each address, of which all
 * but the first lack the response cache, the limits of connections and the responses to malformed requests.
 * @param addresses the first must be free, or the promise rejects; another one that cannot be listened on is left out.
 * @param port 0 for any free port of the first address.
 */
export async function listenOn(
  app: FastifyInstance,
  [first, ...others]: readonly string[],
  port: number,
): Promise<void> {
  const listeners = others.map((address) => ({
    address,
    server: createServer((socket) => app.server.emit('connection', socket)),
  }));
  app.addHook('preClose', async () => {
    for (const { server } of listeners) server.close();
  });
  await app.listen({ port, ...(first === undefined ? {} : { host: first }) });
  const { port: actualPort } = app.server.address() as AddressInfo;
  for (const { address, server } of listeners) {
    server.maxConnections = app.server.maxConnections;
    server.on('drop', (connection) => app.server.emit('drop', connection));
    server.listen({ port: actualPort, host: address });
    await once(server, 'listening').catch((error: unknown) => {
      app.log.warn({ address, err: error }, 'this address of localhost is not listened on');
    });
  }
}
