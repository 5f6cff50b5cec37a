/** How much space a database takes. */

import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sql } from 'kysely';
import type { Db } from './tables.ts';

/** In bytes. Of PostgreSQL, whose disk is another machine's, only the first is known. */
export type Space = {
  databaseBytes: number;
  logBytes?: number;
  diskFreeBytes?: number;
  diskBytes?: number;
};

/** @throws the system's error, for example because the file was removed. */
export async function measureSqlite(file: string): Promise<Space> {
  const [database, log, disk] = await Promise.all([
    stat(file),
    stat(`${file}-wal`).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return { size: 0 };
    }),
    statfs(dirname(file)),
  ]);
  return {
    databaseBytes: database.size,
    logBytes: log.size,
    // Blocks that are kept for root are not free for the store.
    diskFreeBytes: disk.bavail * disk.bsize,
    diskBytes: disk.blocks * disk.bsize,
  };
}

export async function measurePostgres(db: Db): Promise<Space> {
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(
    db,
  );
  return { databaseBytes: Number(rows[0]?.bytes) };
}
