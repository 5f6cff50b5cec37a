/**
 * The demo identity provider's own process, started by demo.ts. Another origin in life is another machine; here it is at
 * least another process, whose memory and start-up are not the store's. It ends when the store does, however that ends.
 */

import { StartError } from '../start-error.ts';
import { type IdentityProviderOptions, startIdentityProvider } from './identity-provider.ts';

/** `isMendable`: see StartError. */
export type IdentityProcessReport = { failure?: string; isMendable?: boolean };

process.on('disconnect', () => process.exit(0));
// A Ctrl-C reaches every process of the terminal: the store's end decides, so that sign-ins in flight can finish.
process.on('SIGINT', () => {});

process.once('message', async (options: IdentityProviderOptions) => {
  const report = await startIdentityProvider({ ...options, onError: (error) => console.error(error) }).then(
    (): IdentityProcessReport => ({}),
    (error: unknown): IdentityProcessReport => ({
      failure: error instanceof Error ? error.message : String(error),
      isMendable: error instanceof StartError,
    }),
  );
  process.send?.(report);
});
