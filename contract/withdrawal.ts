/** Withdrawals of orders. This file has no schemas, because the browser loads it. Its addresses are not in paths.ts, which home loads. */

import { withParameter } from './paths.ts';

export const maxReasonLength = 500;

export const withdrawalPaths = {
  page: '/withdrawal',
  order: withParameter('/withdrawOrder/:id'),
} as const;
