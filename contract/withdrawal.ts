/** Taking an order back. Without schemas: the browser loads it. Its addresses are not in paths.ts, which home loads. */

import { withParameter } from './paths.ts';

/** In characters. */
export const maxReasonLength = 500;

export const withdrawalPaths = {
  /** The page that explains how to withdraw. */
  page: '/withdrawal',
  order: withParameter('/withdrawOrder/:id'),
} as const;
