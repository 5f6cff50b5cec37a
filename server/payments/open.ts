import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../database/tables.ts';
import type { Outbox } from '../outbox/record.ts';
import type { Settings } from '../settings/settings.ts';
import { openMollie } from './mollie.ts';
import { openPaying } from './pay.ts';
import { checked, type Provider } from './providers.ts';
import { type Caller, callers, openSettling } from './settle.ts';
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

/** `ignored`: of something else, or of a session that no row has. `refused`: with a wrong signature. `failed`: the provider sends it again. */
export const webhookOutcomes = ['settled', 'ignored', 'refused', 'failed'] as const;

const zeros = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;

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
  /** Since the start of this node: orders found to be paid, and webhooks. */
  const counts = { paid: zeros(callers), webhooks: zeros(webhookOutcomes) };
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
