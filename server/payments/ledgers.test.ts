/** The short form of `npm run prove -- --only payments`. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { forThisTest, makeFolder } from '../testing/ends-with-test.ts';
import { openShop } from '../testing/ledgers/shop.ts';
import { createStoreDatabase, examplesOf } from '../testing/test-database.ts';

test.each(['SQLite', 'PostgreSQL'])(
  'whatever is lost, late, repeated or refunded, the store on %s explains every cent of the payment provider',
  { timeout: 300_000 },
  async (engine) => {
    const url =
      engine === 'SQLite'
        ? `sqlite:${join(await makeFolder(), 'store.db')}`
        : (await createStoreDatabase()).url;
    const shop = await forThisTest(openShop(url, 1));

    const { came, back, anomalies } = await shop.play({ count: examplesOf(160), kills: 1 });

    expect(anomalies).toEqual([]);
    expect(came).toBeGreaterThan(back);
    expect(back).toBeGreaterThan(0);
  },
);
