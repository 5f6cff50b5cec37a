/**
 * The process of the demo identity provider, which demo.ts starts. A real provider runs on another machine; this one at
 * least does not share the store's memory and start-up time. It ends with the store, even if the store crashes.
 */

import { StartError } from '../start-error.ts';
import { type IdentityProviderOptions, startIdentityProvider } from './identity-provider.ts';

/** `isExplained`: the failure was a {@link StartError}, whose message tells the operator what to change. */
export type IdentityProcessReport =
  | { isOpen: true }
  | { isOpen: false; failure: string; isExplained: boolean };

process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches every process of the terminal. This one waits until the store ends, so that open sign-ins can finish.
process.on('SIGINT', () => {});

process.once('message', async (options: IdentityProviderOptions) => {
  const report = await startIdentityProvider({ ...options, onError: (error) => console.error(error) }).then(
    (): IdentityProcessReport => ({ isOpen: true }),
    (error: unknown): IdentityProcessReport => ({
      isOpen: false,
      failure: error instanceof Error ? error.message : String(error),
      isExplained: error instanceof StartError,
    }),
  );
  process.send?.(report);
});
