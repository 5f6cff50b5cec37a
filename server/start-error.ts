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
