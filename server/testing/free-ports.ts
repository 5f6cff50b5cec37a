import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * The ports are below the system's range for outgoing connections (ip(7), ip_local_port_range). So a port stays free between the check and
 * its use, and while its process is stopped and started again.
 */
const ports = { first: 20_000, count: 12_000 };
const maxTries = 500;

/** Two calls of one process never return the same port. */
const returned = new Set<number>();

/** @returns a port of 127.0.0.1 on which nothing listens. @throws when 500 ports in a row are taken. */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const port = ports.first + Math.floor(Math.random() * ports.count);
    if (returned.has(port)) continue;
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    await once(server.close(), 'close');
    returned.add(port);
    return port;
  }
  throw new Error(`none of ${maxTries} ports is free`);
}
