/** Purchases of a store on one database, and the comparison of its ledger with the payment provider's (server/testing/ledgers). */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Compared } from '../../server/testing/ledgers/compare.ts';
import { openShop } from '../../server/testing/ledgers/shop.ts';
import { createPostgresDatabase, startPostgres } from '../../server/testing/postgres-server.ts';

/** Purchases in one shop, before it is emptied: a fault is found at the end of the first. */
const inShop = 100;

export type Ledgers = { engine: 'SQLite' | 'PostgreSQL'; purchases: number; firstSeed: number };

/**
 * Plays purchases until the ledgers of a shop differ. @param onPlayed called after each shop, with what was played so far.
 * @returns the sums of both ledgers, and the anomalies.
 */
export async function playLedgers(
  { engine, purchases, firstSeed }: Ledgers,
  onPlayed: (purchases: number) => void,
): Promise<Compared> {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-ledgers-'));
  const postgres = engine === 'PostgreSQL' ? await startPostgres() : undefined;
  const url = postgres
    ? await createPostgresDatabase(postgres.url, 'ledgers')
    : `sqlite:${join(folder, 'store.db')}`;
  const shop = await openShop(url, firstSeed);
  const sums: Compared = { came: 0, back: 0, anomalies: [] };
  try {
    for (let played = 0; played < purchases && sums.anomalies.length === 0; played += inShop) {
      const count = Math.min(inShop, purchases - played);
      const { came, back, anomalies } = await shop.play({ count, kills: 1 });
      sums.came += came;
      sums.back += back;
      sums.anomalies.push(...anomalies);
      onPlayed(played + count);
    }
    return sums;
  } finally {
    await shop.close();
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
