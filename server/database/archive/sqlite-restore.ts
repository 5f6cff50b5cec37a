import { chmod, chown, link, rename, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { StartError } from '../../start-error.ts';
import { checkNotNewer, listApplied, makeTables } from '../migrate.ts';
import * as migrations from '../migrations/index.ts';
import { asSqliteFault } from '../open-error.ts';
import { isSameFile, makePrivateFolder } from '../sqlite/file.ts';
import type { SqliteSettings } from '../sqlite/open.ts';
import { codeOf } from '../unavailable.ts';
import { exists, syncFile, syncFolder, timeName, withPart } from '../whole-file.ts';
import { countRows, type OnStep } from './counts.ts';
import { endAgain, finishEnded, type Known, type Restored, type RestoreOptions, readKnown } from './ended.ts';
import { onConnection } from './one-connection.ts';
import { lockFile } from './sqlite-lock.ts';

export async function restoreSqlite(
  { file: target }: Pick<SqliteSettings, 'file'>,
  file: string,
  { isForced, onStep, finish }: RestoreOptions,
): Promise<Restored> {
  await checkIsAtRest(file, target);
  makePrivateFolder(dirname(target));
  const lock = (await exists(target)) ? lockFile(target) : undefined;
  try {
    if (lock?.hasContent && !isForced) {
      throw new StartError(`${target} has a database already; --force replaces it, and keeps it aside.`);
    }
    const known = await readKnown(lock?.hasContent ? (lock.db ?? 'unreadable') : 'none');
    return await withPart(target, async (part) => {
      await writeFile(part, '', { flag: 'wx', mode: 0o600 });
      const restored = await restoreInto(part, file, known, { onStep, finish });
      await takeRightsOf(target, part);
      await syncFile(part);
      return { ...restored, replaced: await swap(part, target, lock !== undefined) };
    });
  } finally {
    lock?.release();
  }
}

/** A database that a process has open is not whole without its log. */
async function checkIsAtRest(file: string, target: string): Promise<void> {
  if (isSameFile(file, target)) throw new StartError(`${file} is the database itself.`);
  const log = await stat(`${file}-wal`).catch(() => undefined);
  if (log && log.size > 0)
    throw new StartError(`${file} is no backup: it has a log beside it, ${basename(file)}-wal.`);
}

/** Makes the tables of the backup's version in an empty file, fills them, and ends what was ended since. */
async function restoreInto(
  part: string,
  file: string,
  known: Known,
  { onStep, finish }: Omit<RestoreOptions, 'isForced'>,
): Promise<Omit<Restored, 'replaced'>> {
  const sqlite = new DatabaseSync(part, { enableForeignKeyConstraints: false });
  const db = onConnection(sqlite);
  try {
    sqlite.exec('pragma trusted_schema = off; pragma secure_delete = on; pragma synchronous = off');
    sqlite.prepare('attach ? as backup').run(`${pathToFileURL(resolve(file))}?immutable=1`);
    const ended = await db.transaction().execute(async (db) => {
      // The new file has no tables yet: this reads the one of the backup.
      const applied = await listApplied(db);
      checkNotNewer(applied, migrations);
      await makeTables(db, migrations, applied);
      loadRows(sqlite, file, onStep);
      return await endAgain(db, known);
    });
    sqlite.exec('detach backup');
    const notes = await finishEnded(db, ended, finish);
    return { ...(await countRows(db)), ...ended, notes };
  } catch (error) {
    const fault = asSqliteFault(error, file);
    if (codeOf(fault) !== 'ERR_SQLITE_ERROR') throw fault;
    throw new StartError(`${file} cannot be restored (${(error as Error).message}).`);
  } finally {
    sqlite.close();
  }
}

/** Copies the rows of each table. Whatever else the backup has, such as a trigger, is not even read. */
function loadRows(sqlite: DatabaseSync, file: string, onStep: OnStep): void {
  const list = (query: string) => sqlite.prepare(query).all() as Record<string, string>[];
  const [damage] = list('pragma backup.quick_check(1)').flatMap(Object.values);
  if (damage !== 'ok') throw new StartError(`${file} is damaged (${damage}).`);
  const tablesOf = (schema: string) =>
    list(`select name from pragma_table_list where schema = '${schema}' and type = 'table'
      and name not like 'sqlite_%' and name <> 'kysely_migration'`).map(({ name = '' }) => name);
  // Indexes are made faster at once than row by row. The one trigger that runs fills the index of the search.
  const later = list(`select type, name, sql from main.sqlite_schema
    where type in ('index', 'trigger') and sql is not null and name <> 'books_search_insert'`);
  for (const { type, name } of later) sqlite.exec(`drop ${type} main.${name}`);
  const there = new Set(tablesOf('backup'));
  for (const table of tablesOf('main')) {
    if (!there.has(table)) throw new StartError(`${file} is damaged: it lacks the table ${table}.`);
    onStep(`restoring ${table}`, 0);
    const columns = list(`select name from pragma_table_info('${table}')`).map(({ name }) => `"${name}"`);
    sqlite.exec(`delete from main.${table}`);
    sqlite.exec(`insert into main.${table} (${columns}) select ${columns} from backup.${table}`);
  }
  for (const { sql = '' } of later) sqlite.exec(sql);
  const [orphan] = list('pragma main.foreign_key_check');
  if (!orphan) return;
  throw new StartError(`${file} is damaged (a row of ${orphan['table']} refers to one that is missing).`);
}

/** The store's user may be another one than root, and its group may read the file for backups. */
async function takeRightsOf(target: string, part: string): Promise<void> {
  const file = await stat(target).catch(() => undefined);
  const { uid, gid } = file ?? (await stat(dirname(target)));
  if (process.getuid?.() === 0) await chown(part, uid, gid);
  await chmod(part, file ? file.mode & 0o770 : 0o600);
}

/**
 * Exchanges the files. At each moment one of the two is at the path, and never a log that belongs to the other: that would damage it.
 * @returns the path of the file that was replaced.
 */
async function swap(part: string, target: string, hasOld: boolean): Promise<string | undefined> {
  const aside = `${target}.replaced-${timeName()}`;
  if (hasOld) await link(target, aside);
  else if (await exists(target)) throw new StartError(`${target} was created meanwhile.`);
  for (const suffix of ['-wal', '-shm', '-journal']) {
    if (await exists(target + suffix)) await rename(target + suffix, aside + suffix);
  }
  await syncFolder(target);
  await rename(part, target);
  await syncFolder(target);
  return hasOld ? aside : undefined;
}
