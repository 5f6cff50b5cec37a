import { once } from 'node:events';
import { createServer } from 'node:net';

/** The store cannot start, for a cause that the operator can remove. The message begins with the setting to change. */
export class StartError extends Error {}

/** @returns for an error of `listen()`: a StartError when another port or host would help; otherwise the error itself. */
export function listenError(
  error: NodeJS.ErrnoException,
  { portSetting, port, host }: { portSetting: 'PORT' | 'DEMO_IDENTITY_PORT'; port: number; host: string },
): Error {
  if (error.code === 'EADDRINUSE') {
    return new StartError(`${portSetting}: ${port} is taken.`, { cause: error });
  }
  if (error.code === 'EACCES') return new StartError(`${portSetting}: this user may not listen on ${port}.`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new StartError(`HOST: "${host}" is no address of this machine.`);
  }
  return error;
}

/** Checks the port before anything else is opened, so that a second start names this port and no other. */
export async function checkPort({ port, host }: { port: number; host: string }): Promise<void> {
  const probe = createServer().listen(port, host);
  await once(probe, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw listenError(error, { port, host, portSetting: 'PORT' });
  });
  probe.close();
  await once(probe, 'close');
}
