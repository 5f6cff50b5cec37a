/** Puts a backup in the place of the database, as a whole or not at all (docs/decisions/0045). */

import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { StartError } from '../../start-error.ts';
import type { DatabaseSettings } from '../open.ts';
import type { Restored, RestoreOptions } from './ended.ts';
import { restorePostgres } from './postgres-restore.ts';
import { restoreSqlite } from './sqlite-restore.ts';
import { hasSum, sumFileOf } from './sum-file.ts';

/**
 * The database that is replaced is kept aside.
 * @throws {StartError} when the backup is none of this store, or damaged; when a store runs; or when a store would be replaced.
 * The database is then as it was.
 */
export async function restore(
  settings: DatabaseSettings,
  file: string,
  options: RestoreOptions,
): Promise<Restored> {
  const engine = await engineOfFile(file);
  if (engine !== settings.engine) {
    const names = { sqlite: 'SQLite', postgres: 'PostgreSQL' };
    throw new StartError(
      `${file} is a backup of ${names[engine]}, and DATABASE_URL names ${names[settings.engine]}.`,
    );
  }
  const notes = await checkSum(file, options.onStep);
  const restored =
    settings.engine === 'sqlite'
      ? await restoreSqlite(settings, file, options)
      : await restorePostgres(settings, file, options);
  return { ...restored, notes: [...restored.notes, ...notes] };
}

/** @returns a sentence for a backup without a sum. @throws {StartError} for another file than that of the sum. */
async function checkSum(file: string, onStep: RestoreOptions['onStep']): Promise<string[]> {
  const sums = await readFile(sumFileOf(file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new StartError(`${sumFileOf(file)} cannot be read (${error.code}).`);
  });
  if (sums === undefined) {
    return [
      `${file} has no ${basename(sumFileOf(file))} beside it, as backups of older versions: a changed byte may be unnoticed.`,
    ];
  }
  onStep('comparing the checksum', 0);
  if (await hasSum(file, sums)) return [];
  throw new StartError(
    `${file} is damaged, or another file than the one that ${sumFileOf(file)} was made of.`,
  );
}

const signatures = { sqlite: 'SQLite format 3\0', postgres: 'PGDMP' } as const;

async function engineOfFile(file: string): Promise<'sqlite' | 'postgres'> {
  const start = await createReadStream(file, { end: 15, encoding: 'latin1' })
    .toArray()
    .catch((error: NodeJS.ErrnoException) => {
      throw new StartError(`${file} cannot be read (${error.code}).`);
    });
  for (const engine of ['sqlite', 'postgres'] as const) {
    if (start.join('').startsWith(signatures[engine])) return engine;
  }
  throw new StartError(`${file} is no backup of a store.`);
}
