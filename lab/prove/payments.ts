/** Purchases of stores on one engine, and the comparison of their ledgers with those of providers and banks (server/testing/ledgers). */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Compared } from '../../server/testing/ledgers/compare.ts';
import { type Purchases, playPurchases } from '../../server/testing/ledgers/play.ts';
import { createPostgresDatabase, startPostgres } from '../../server/testing/postgres-server.ts';

export type Ledgers = Omit<Purchases, 'urls'> & { engine: 'SQLite' | 'PostgreSQL'; jobs: number };

/** Plays purchases until the ledgers of a shop differ. */
export async function playLedgers({ engine, jobs, ...purchases }: Ledgers): Promise<Compared> {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-ledgers-'));
  const postgres = engine === 'PostgreSQL' ? await startPostgres() : undefined;
  try {
    const urls: string[] = [];
    // A shop waits half of its time: for a lock, a killed node, or an answer that is late.
    for (let job = 1; job <= 2 * jobs; job += 1)
      urls.push(
        postgres
          ? await createPostgresDatabase(postgres.url, `ledgers_${job}`)
          : `sqlite:${join(folder, `store-${job}.db`)}`,
      );
    return await playPurchases({ ...purchases, urls });
  } finally {
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
