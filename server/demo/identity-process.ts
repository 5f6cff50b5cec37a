/** A process of its own: its library does not take the memory and the start of the store, with which it ends, also when that crashes. */

import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { fetchLimited } from '../sign-in/provider-fetch.ts';
import { StartError } from '../start-error.ts';
import { demoStoreName, type IdentityProviderOptions, startIdentityProvider } from './identity-provider.ts';

/** The outcome of the start. `isShared`: another node's provider serves this one too. */
export type IdentityReport = { isShared: boolean } | { fault: string };

process.on('disconnect', () => process.exit(0));
// Ctrl-C, or the stop of a service, reaches every process of the group. This one waits until the store ends, so that open
// sign-ins can finish.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

/** How often a node tries to take over the provider of another one, which may have stopped. */
const takeOverMs = 1_000;

const isPortTaken = (error: unknown): boolean =>
  error instanceof StartError && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE';

/** @returns false if the port is taken, by another node of this demo: nodes share one provider, as those of a shop do. @throws {StartError} */
async function tryToStart(options: IdentityProviderOptions): Promise<boolean> {
  try {
    await startIdentityProvider(options);
    return true;
  } catch (error) {
    if (isPortTaken(error) && (await isOfAnotherNode(options))) return false;
    throw error;
  }
}

/** A server with the same address that names the same store. All its addresses are below that one: a foreign server could send sign-ins elsewhere. */
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

/** Takes the provider over when the other node has stopped. A failure that waiting does not cure ends the process, which prints it. */
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
  // The store may have ended meanwhile: it has printed why.
  process.send?.(report, () => {});
});
