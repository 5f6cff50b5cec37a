/**
 * The process of the demo identity provider, which demo.ts starts. A real provider runs on another machine; this one at
 * least does not share the store's memory and start-up time. It ends with the store, even if the store crashes.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { fetchLimited } from '../sign-in/provider-fetch.ts';
import { StartError } from '../start-error.ts';
import { demoStoreName, type IdentityProviderOptions, startIdentityProvider } from './identity-provider.ts';

/** `isExplained`: the failure was a {@link StartError}, whose message tells the operator what to change. */
export type IdentityProcessReport =
  | { isOpen: true; isShared: boolean }
  | { isOpen: false; failure: string; isExplained: boolean };

process.on('disconnect', () => process.exit(0));
// Ctrl-C, or the stop of a service, reaches every process of the group. This one waits until the store ends, so that open
// sign-ins can finish.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

/** How often a node tries to take over the provider of another one, which may have stopped. */
const takeOverMs = 1_000;

/** @returns whether it is another node's: nodes of one demo share one provider, as those of a shop do. @throws {StartError} */
async function startOrShare(options: IdentityProviderOptions): Promise<boolean> {
  try {
    await startIdentityProvider(options);
    return false;
  } catch (error) {
    if (!isPortTaken(error) || !(await isOfAnotherNode(options))) throw error;
    void takeOver(options);
    return true;
  }
}

/**
 * @returns whether the port belongs to a demo provider with the same address, which names the same store. All its addresses are
 * below that one: a foreign server could send sign-ins elsewhere.
 */
async function isOfAnotherNode({ issuer, storeName }: IdentityProviderOptions): Promise<boolean> {
  try {
    const response = await fetchLimited(`${issuer}/.well-known/openid-configuration`, {
      redirect: 'error',
      signal: AbortSignal.timeout(2_000),
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

/** A failure that waiting does not cure ends the process, which prints it; the store logs the end. */
async function takeOver(options: IdentityProviderOptions): Promise<void> {
  for (;;) {
    await pause(takeOverMs);
    try {
      await startIdentityProvider(options);
      return;
    } catch (error) {
      if (!isPortTaken(error)) throw error;
    }
  }
}

const isPortTaken = (error: unknown): boolean =>
  error instanceof StartError && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE';

process.once('message', async (options: IdentityProviderOptions) => {
  const report = await startOrShare({ ...options, onError: (error) => console.error(error) }).then(
    (isShared): IdentityProcessReport => ({ isOpen: true, isShared }),
    (error: unknown): IdentityProcessReport => ({
      isOpen: false,
      failure: error instanceof Error ? error.message : String(error),
      isExplained: error instanceof StartError,
    }),
  );
  // The store may have ended meanwhile: it has printed why.
  process.send?.(report, () => {});
});
