/** The addresses of payments. They are not in paths.ts, which home loads, and this file has no schemas, because the browser loads it. */

import { withParameter } from './paths.ts';

export const paymentPaths = {
  pay: withParameter('/payOrder/:id'),
  transfer: withParameter('/order/:id/transfer'),
  transferCode: withParameter('/order/:id/transfer.svg'),
  /** The address that a provider sends the buyer back to, on the way to the order's page. */
  done: withParameter('/payments/done/:id'),
  webhook: withParameter('/payments/:provider'),
} as const;
