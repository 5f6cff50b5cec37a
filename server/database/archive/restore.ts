/** Puts a backup in the place of the database, as a whole or not at all (docs/decisions/0067). */

import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { StartError } from '../../start-error.ts';
import { type AppliedMigration, checkNotNewer, listApplied, migrate } from '../migrate.ts';
import * as migrations from '../migrations/index.ts';
import type { DatabaseSettings } from '../open.ts';
import { asSqliteFault, explained } from '../open-error.ts';
import type { Db } from '../tables.ts';
import { codeOf } from '../unavailable.ts';
import { copyRows, insertRows, type OnStep, type Table } from './copy-rows.ts';
import { endAgain, type MakeStore, type Reapplied, type Restored } from './ended.ts';
import { replaceSchema } from './postgres.ts';
import { readDump } from './read-dump.ts';
import { replaceFile } from './sqlite.ts';
import { asFolderFault, checkFile, countRows, makeStoreFile, withFile } from './store-file.ts';
import { hashFile, sumFileOf } from './sum-file.ts';

type RestoreOptions = {
  isForced: boolean;
  onStep: OnStep;
  finish: (db: Db, again: Reapplied) => Promise<void>;
};

/** @returns with `replaced`: where the replaced database is kept. @throws {StartError} The database is then as it was. */
export async function restore(
  settings: DatabaseSettings,
  file: string,
  { isForced, onStep, finish }: RestoreOptions,
): Promise<Restored & { replaced: string | undefined }> {
  const start = await createReadStream(file, { end: 4, encoding: 'latin1' })
    .toArray()
    .catch((error: NodeJS.ErrnoException) => {
      throw new StartError(`${file} cannot be read (${error.code}).`);
    });
  const load = start.join('') === 'PGDMP' ? loadDump : loadFile;
  onStep('comparing the checksum');
  const notes = await checkSum(file);
  const make: MakeStore = async (part, known) => {
    try {
      await writeFile(part, '', { flag: 'wx', mode: 0o600 });
      await load(file, part, onStep);
      return await withFile(part, {}, async (db, sqlite) => {
        checkFile(sqlite, file);
        sqlite.exec('pragma secure_delete = on; pragma synchronous = off');
        await migrate(db, migrations);
        const { again, isKnown } = await endAgain(db, known);
        await finish(db, again);
        return { ...countRows(sqlite), again, notes: isKnown ? notes : [unknown, ...notes] };
      });
    } catch (error) {
      const fault = asSqliteFault(asFolderFault(error, part), file);
      // The second pattern finds numbers that JavaScript cannot represent.
      if (!['ERR_SQLITE_ERROR', 'ERR_OUT_OF_RANGE'].includes(String(codeOf(fault)))) throw fault;
      throw new StartError(`${file} cannot be restored (${(error as Error).message}).`);
    }
  };
  return settings.engine === 'sqlite'
    ? await replaceFile(settings.file, isForced, make)
    : await explained(settings, () => replaceSchema(settings, { file, isForced, onStep }, make));
}

const unknown =
  'Revoke tokens, block and erase customers again, as was done since the backup: no database of this store was replaced, or it cannot be read.';

async function checkSum(file: string): Promise<string[]> {
  const sums = await readFile(sumFileOf(file), 'utf8').catch(() => undefined);
  if (sums === undefined) {
    return [`${file} has no ${basename(sumFileOf(file))} beside it: a changed byte may be unnoticed.`];
  }
  if (sums.toLowerCase().includes(await hashFile(file))) return [];
  throw new StartError(
    `${file} is damaged, or another file than the one that ${sumFileOf(file)} was made of.`,
  );
}

type Loader = (file: string, part: string, onStep: OnStep) => Promise<void>;

/** Copies the rows of each table. Whatever else the backup has, such as a trigger or a view, is not even read. */
const loadFile: Loader = async (file, part, onStep) => {
  await withFile(file, { readOnly: true }, async (backup, sqlite) => {
    sqlite.exec('pragma trusted_schema = off');
    checkFile(sqlite, file);
    const there = sqlite.prepare(`select name from pragma_table_list where type = 'table'`).all();
    const names = new Set(there.map(({ name }) => name));
    // A view of this name could be without end.
    const applied = names.has('kysely_migration') ? await listApplied(backup) : [];
    checkNotNewer(applied, migrations);
    await makeStoreFile(part, applied, async (db, tables) => {
      refuseMissing(file, tables, names);
      await copyRows(backup, db, tables, onStep);
    });
  });
};

const loadDump: Loader = async (file, part, onStep) => {
  const applied: AppliedMigration[] = [];
  for await (const { rows } of readDump(file, '--table=kysely_migration')) {
    applied.push(...rows.map(({ name, timestamp }) => ({ name: `${name}`, timestamp: `${timestamp}` })));
  }
  checkNotNewer(applied, migrations);
  await makeStoreFile(part, applied, async (db, tables) => {
    const there = new Set<unknown>();
    for await (const { name, rows } of readDump(file)) {
      there.add(name);
      onStep(`reading ${name}`);
      const table = tables.find((table) => table.name === name);
      if (table) await insertRows(db, table, rows);
    }
    refuseMissing(file, tables, there);
  });
};

function refuseMissing(file: string, tables: readonly Table[], there: ReadonlySet<unknown>): void {
  const missing = tables.find(({ name }) => !there.has(name));
  if (missing) throw new StartError(`${file} is damaged: it lacks the table ${missing.name}.`);
}
