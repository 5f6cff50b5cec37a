/** The demo's provider, in its own process: its library takes no memory or start time of the store. It ends when the store ends or crashes. */

import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { fetchLimited } from '../sign-in/provider-fetch.ts';
import { StartError } from '../start-error.ts';
import { demoStoreName, type IdentityProviderOptions, startIdentityProvider } from './identity-provider.ts';

/** The outcome of the start. `isShared`: another node's provider serves this one too. */
export type IdentityReport = { isShared: boolean } | { fault: string };

process.on('disconnect', () => process.exit(0));
// Ctrl-C, or the stop of a service, signals every process of the group. This process waits until the store ends, so that open sign-ins can
// finish.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

/** The interval at which a node tries to take over another node's provider, which may have stopped. */
const takeOverMs = 1_000;

const isPortTaken = (error: unknown): boolean =>
  error instanceof StartError && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE';

/** Starts the provider. Nodes share one, as those of a shop do. @returns false if another node of this demo has the port. @throws {StartError} */
async function tryToStart(options: IdentityProviderOptions): Promise<boolean> {
  try {
    await startIdentityProvider(options);
    return true;
  } catch (error) {
    if (isPortTaken(error) && (await isOfAnotherNode(options))) return false;
    throw error;
  }
}

/** @returns whether a provider here names the same store, with all addresses below its own: a foreign server could send sign-ins elsewhere. */
async function isOfAnotherNode({ issuer, storeName }: IdentityProviderOptions): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(2_000);
    const response = await fetchLimited(`${issuer}/.well-known/openid-configuration`, {
      redirect: 'error',
      signal,
    });
    const metadata: Record<string, unknown> = JSON.parse(await response.text());
    const isBelow = ([name, address]: [string, unknown]) =>
      !/_(?:endpoint|uri)$/.test(name) || String(address).startsWith(`${issuer}/`);
    const isWhole = Object.entries(metadata).every(isBelow);
    return isWhole && metadata['issuer'] === issuer && metadata[demoStoreName] === storeName;
  } catch {
    return false;
  }
}

/** Takes the provider over when the other node has stopped. A failure that waiting cannot cure is printed, and ends the process. */
async function takeOver(options: IdentityProviderOptions): Promise<void> {
  for (;;) {
    await pause(takeOverMs);
    try {
      return void (await startIdentityProvider(options));
    } catch (error) {
      if (!isPortTaken(error)) throw error;
    }
  }
}

process.once('message', async (given: IdentityProviderOptions) => {
  const options = { ...given, onError: (error: unknown) => console.error(error) };
  const report = await tryToStart(options).then(
    (hasStarted): IdentityReport => {
      if (!hasStarted) void takeOver(options);
      return { isShared: !hasStarted };
    },
    (error: unknown): IdentityReport => ({
      fault: error instanceof StartError ? error.message : inspect(error),
    }),
  );
  // If the store has ended meanwhile, it has printed why.
  process.send?.(report, () => {});
});
