/** The short form of `npm run prove -- --only payments`. */

import { expect, inject, test } from 'vitest';
import { playPurchases } from '../testing/ledgers/play.ts';
import { createStoreDatabase } from '../testing/test-database.ts';

test('whatever is lost, late, repeated or refunded, the store explains every cent of its payment providers and its bank', {
  timeout: 1_800_000,
}, async () => {
  const { url } = await createStoreDatabase();
  const count = inject('isFull') ? 5_000 : 50;

  const { came, back, anomalies } = await playPurchases({ urls: [url], count, firstSeed: 1 });

  expect(anomalies).toEqual([]);
  expect(came).toBeGreaterThan(back);
  expect(back).toBeGreaterThan(0);
});
