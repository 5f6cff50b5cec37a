import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

export type FreePortOptions = {
  /**
   * The port stays free also while nothing listens on it, for a process that is killed and started again: it is below
   * the range from which the system takes the ports of outgoing connections (ip(7), ip_local_port_range).
   */
  isStable?: boolean;
};

const stablePorts = { first: 20_000, count: 12_000 };
const maxTries = 500;

/** Two calls of one process never return the same port. */
const returned = new Set<number>();

/** @returns a port of 127.0.0.1 on which nothing listens. @throws when 500 ports in a row are taken. */
export async function findFreePort({ isStable = false }: FreePortOptions = {}): Promise<number> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const port = await tryPort(isStable ? randomStablePort() : 0);
    if (port === undefined || returned.has(port)) continue;
    returned.add(port);
    return port;
  }
  throw new Error(`none of ${maxTries} ports is free`);
}

const randomStablePort = () => stablePorts.first + Math.floor(Math.random() * stablePorts.count);

/** @param requested 0 for any. @returns the port, or undefined when it is taken. */
async function tryPort(requested: number): Promise<number | undefined> {
  const server = createServer();
  try {
    await once(server.listen(requested, '127.0.0.1'), 'listening');
  } catch {
    return undefined;
  }
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
