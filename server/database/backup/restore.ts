/** Puts a backup in the place of the database, as a whole or not at all (docs/decisions/0045). */

import { open } from 'node:fs/promises';
import { StartError } from '../../start-error.ts';
import type { DatabaseSettings } from '../open.ts';
import type { Db } from '../tables.ts';
import type { Again, Ended } from './apply-again.ts';
import type { OnStep } from './back-up.ts';
import type { Counts } from './check-sqlite.ts';
import { restorePostgres } from './restore-postgres.ts';
import { restoreSqlite } from './restore-sqlite.ts';

export type RestoreOptions = {
  /** Whether a store may be replaced. */
  isForced: boolean;
  onStep: OnStep;
  /** Records what was applied again, and finishes the erasures. Not called for a backup of an older version: the next start does it. */
  finish: (db: Db, again: Again) => Promise<void>;
};

export type Restored = Counts &
  Ended & {
    /** The file or the schema in which the replaced database is kept; undefined if there was none. */
    replaced: string | undefined;
    /** A sentence for each difference of the schema that no statement of the store runs, and for what is left to do. */
    notes: string[];
  };

/**
 * Checks a backup, and puts it in the place of the database, which is kept aside. Sessions are not restored: some may have been
 * ended since. Nor are tokens, blocks and erased customers, as far as the replaced database knows.
 * @throws {StartError} when the backup is none of this store, or damaged; when a store runs; or when a store would be replaced.
 * The database is then as it was.
 */
export async function restore(
  settings: DatabaseSettings,
  file: string,
  options: RestoreOptions,
): Promise<Restored> {
  const engine = await engineOf(file);
  if (engine !== settings.engine) {
    const names = { sqlite: 'SQLite', postgres: 'PostgreSQL' };
    throw new StartError(
      `${file} is a backup of ${names[engine]}, and DATABASE_URL names ${names[settings.engine]}.`,
    );
  }
  return settings.engine === 'sqlite'
    ? await restoreSqlite(settings, file, options)
    : await restorePostgres(settings, file, options);
}

/** What files begin with. */
const signatures = { sqlite: 'SQLite format 3\0', postgres: 'PGDMP' } as const;

async function engineOf(file: string): Promise<'sqlite' | 'postgres'> {
  const start = await readStart(file).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`${file} cannot be read (${error.code}).`);
  });
  for (const engine of ['sqlite', 'postgres'] as const) {
    if (start.startsWith(signatures[engine])) return engine;
  }
  throw new StartError(`${file} is no backup of a store.`);
}

async function readStart(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(16) });
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
