import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../database/tables.ts';
import type { Outbox } from '../outbox/record.ts';
import type { Settings } from '../settings/settings.ts';
import { openMollie } from './mollie.ts';
import { openPaying } from './pay.ts';
import { checked, type Provider } from './providers.ts';
import { type Caller, openSettling } from './settle.ts';
import { openStripe } from './stripe.ts';
import { openSweep } from './sweep.ts';

type PaymentParts = {
  db: Db;
  settings: Pick<Settings, 'payments' | 'publicUrl'>;
  outbox: Outbox;
  onShelfChanged(): void;
  log: FastifyBaseLogger;
};

export type Payments = ReturnType<typeof openPayments>;

/** The providers whose keys are set, in the order in which they are offered. Each loads its client at its first use. */
export const openProviders = ({ stripe, mollie }: Settings['payments']): Provider[] => [
  ...(stripe ? [openStripe(stripe)] : []),
  ...(mollie ? [openMollie(mollie)] : []),
];

/** @param given providers other than those of the settings. */
export function openPayments(
  { settings, ...parts }: PaymentParts,
  given: readonly Provider[] = openProviders(settings.payments),
) {
  const providers: ReadonlyMap<string, Provider> = new Map(
    given.map((provider) => [provider.name, checked(provider)]),
  );
  /** Since the start of this node: orders found to be paid, and webhooks. `failed` ones are sent again by the provider. */
  const counts = {
    paid: { webhook: 0, return: 0, sweep: 0, buyer: 0, desk: 0 } satisfies Record<Caller, number>,
    webhooks: { settled: 0, ignored: 0, refused: 0, failed: 0 },
  };
  const onPaid = (by: Caller) => {
    counts.paid[by] += 1;
  };
  const settle = openSettling({ ...parts, providers, onPaid });
  return {
    counts,
    providers,
    settle,
    pay: openPaying({ ...parts, providers, settle, publicUrl: settings.publicUrl }),
    sweep: openSweep({ ...parts, settle }),
  };
}
