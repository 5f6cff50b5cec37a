import type { Settings } from '../settings/settings.ts';
import { openMollie } from './mollie.ts';
import { pay } from './pay.ts';
import type { Provider } from './providers.ts';
import { type PaymentParts, settle } from './settle.ts';
import { openStripe } from './stripe.ts';
import { sweep } from './sweep.ts';

type Given = Omit<PaymentParts, 'providers' | 'publicUrl' | 'paid'> & {
  settings: Pick<Settings, 'payments' | 'publicUrl'>;
};

export type Payments = ReturnType<typeof openPayments>;

/** @param others providers in place of those whose keys are set. */
export function openPayments({ settings, ...given }: Given, others?: readonly Provider[]) {
  const { stripe, mollie } = settings.payments;
  const own = [...(stripe ? [openStripe(stripe)] : []), ...(mollie ? [openMollie(mollie)] : [])];
  const parts: PaymentParts = {
    ...given,
    publicUrl: settings.publicUrl,
    providers: new Map((others ?? own).map((provider) => [provider.name, provider])),
    paid: { webhook: 0, return: 0, sweep: 0, buyer: 0, desk: 0 },
  };
  return {
    providers: parts.providers,
    /** `webhooks`: since the start of this node; `failed` ones are sent again by the provider. */
    counts: { paid: parts.paid, webhooks: { settled: 0, ignored: 0, refused: 0, failed: 0 } },
    settle: settle.bind(null, parts),
    pay: pay.bind(null, parts),
    sweep: sweep.bind(null, parts),
  };
}
