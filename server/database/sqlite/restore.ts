import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, chown, link, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { StartError } from '../../start-error.ts';
import {
  type Ended,
  knowsEnded,
  nothingReapplied,
  type Reapplied,
  type Restored,
  type RestoreOptions,
  readQueries,
  readReapplied,
  reapplyStatements,
  type UnknownEnded,
  unfinishedErasures,
} from '../backup/reapplied.ts';
import { checkForeign, describeMigrated } from '../check-schema.ts';
import { describeSchema } from '../engine.ts';
import { listApplied } from '../migrate.ts';
import { migrations } from '../migrations/index.ts';
import { openUnlimited } from '../open-unlimited.ts';
import { codeOf } from '../unavailable.ts';
import {
  asFileError,
  exists,
  partOf,
  removeAtSignals,
  removeLeftovers,
  removePart,
  syncFile,
  syncFolder,
  timeName,
} from '../whole-file.ts';
import { checkSqliteFile } from './check-file.ts';
import { asSqliteFault } from './fault.ts';
import { isSameFile, makePrivateFolder } from './file.ts';
import { type Lock, lockFile } from './lock-file.ts';
import type { SqliteSettings } from './open.ts';
import { openFileForReads } from './open.ts';

export async function restoreSqlite(
  { file: target }: Pick<SqliteSettings, 'file'>,
  file: string,
  { isForced, onStep, finish }: RestoreOptions,
): Promise<Restored> {
  await checkIsAtRest(file, target);
  makePrivateFolder(dirname(target));
  const lock = (await exists(target)) ? lockFile(target) : undefined;
  const part = partOf(target);
  const forget = removeAtSignals(part);
  try {
    if (lock?.hasContent && !isForced) {
      throw new StartError(`${target} has a database already; --force replaces it, and keeps it aside.`);
    }
    await removeLeftovers(target);
    await copy(file, part, onStep);
    onStep('checking', 0);
    mergeLog(part, file);
    const counts = await checkSqliteFile(part, file, false);
    const { applied, notes } = await checkSchemaOf(part, file);
    const ended = endAgain(part, lock, applied);
    if (applied.length === Object.keys(migrations).length) await finishIn(part, ended.again, finish);
    else if (ended.again.erased.length > 0) notes.push(unfinishedErasures);
    await takeRightsOf(target, part);
    await syncFile(part);
    return { ...counts, ...ended, notes, replaced: await swap(part, target, lock !== undefined) };
  } catch (error) {
    await removePart(part);
    // The backup's own: the database is not touched before.
    if (codeOf(error) === 'ERR_SQLITE_ERROR') {
      throw new StartError(`${file} cannot be restored (${(error as Error).message}).`);
    }
    throw asFileError(target, error);
  } finally {
    forget();
    lock?.release();
  }
}

/** A database that a process has open is not whole without its log. */
async function checkIsAtRest(file: string, target: string): Promise<void> {
  if (await isSameFile(file, target)) throw new StartError(`${file} is the database itself.`);
  const log = await stat(`${file}-wal`).catch(() => undefined);
  if (log && log.size > 0)
    throw new StartError(`${file} is no backup: it has a log beside it, ${basename(file)}-wal.`);
}

async function copy(file: string, part: string, onStep: RestoreOptions['onStep']): Promise<void> {
  const { size } = await stat(file);
  let bytes = 0;
  const reading = createReadStream(file).on('data', (chunk) => {
    bytes += chunk.length;
    onStep('copying', bytes, bytes / size);
  });
  await pipeline(reading, createWriteStream(part, { flags: 'wx', mode: 0o600 }));
}

type Applied = { name: string }[];

/** @throws {StartError} if the file has a trigger that the store has not made, or lacks one: copies and caches depend on them. */
async function checkSchemaOf(part: string, name: string): Promise<{ applied: Applied; notes: string[] }> {
  const { db, close } = openFileForReads(part);
  try {
    const applied = await listApplied(db);
    const expected = await describeMigrated(db, applied);
    const actual = await describeSchema(db);
    const notes = checkForeign(name, expected, actual);
    // A table comes first: its triggers are lost with it.
    const [lost] = [...expected]
      .filter(([name]) => !actual.has(name))
      .map(([name, made]) => `${made.slice(0, made.indexOf(' '))} ${name}`)
      .filter((line) => /^(table|trigger) /.test(line))
      .sort();
    if (lost) throw new StartError(`${name} is damaged: it lacks the ${lost}. Restore another backup.`);
    return { applied, notes };
  } finally {
    await close();
  }
}

/** Ends the sessions, and what was ended in the replaced database since the backup. */
function endAgain(part: string, lock: Lock | undefined, applied: Applied): Ended {
  const sqlite = new DatabaseSync(part);
  try {
    sqlite.exec("pragma secure_delete = on; attach ':memory:' as replaced; begin; delete from sessions");
    const unknown = readEnded(sqlite, lock, applied);
    const statements = unknown === undefined ? reapplyStatements('replaced') : [];
    const lines = statements.flatMap((statement) => sqlite.prepare(statement).all());
    sqlite.exec('commit');
    return unknown === undefined
      ? readReapplied(lines.map(({ line }) => String(line)))
      : { again: nothingReapplied(), unknown };
  } finally {
    sqlite.close();
  }
}

/** Copies what the replaced database knows: it is locked for its own connection, so that no other one can attach it. */
function readEnded(sqlite: DatabaseSync, lock: Lock | undefined, applied: Applied): UnknownEnded | undefined {
  if (!lock?.hasContent) return 'none';
  const replaced = lock.sqlite;
  if (!replaced) return 'unreadable';
  if (!knowsEnded(applied)) return 'tooOld';
  const read = (query: string) => replaced.prepare(query).all();
  try {
    if (!knowsEnded(read(readQueries.kysely_migration) as Applied)) return 'another';
    for (const [table, query] of Object.entries(readQueries)) {
      const columns = replaced
        .prepare(query)
        .columns()
        .map(({ name }) => name);
      sqlite.exec(`create table replaced.${table} (${columns.join(', ')})`);
      const insert = sqlite.prepare(
        `insert into replaced.${table} values (${columns.map(() => '?').join(', ')})`,
      );
      for (const row of read(query)) insert.run(...Object.values(row));
    }
    return undefined;
  } catch {
    return 'unreadable';
  }
}

async function finishIn(part: string, again: Reapplied, finish: RestoreOptions['finish']): Promise<void> {
  if (Object.values(again).every((subjects) => subjects.length === 0)) return;
  const settings = { engine: 'sqlite', file: part, readTimeoutMs: 0, statementTimeoutMs: 0 } as const;
  const { db, close } = openUnlimited(settings);
  await finish(db, again).finally(close);
  mergeLog(part, part);
}

/** Makes one file of a copy that has a log, such as one that another tool has made. */
function mergeLog(part: string, name: string): void {
  const sqlite = new DatabaseSync(part);
  try {
    sqlite.exec('pragma journal_mode = delete');
  } catch (error) {
    throw asSqliteFault(error, name);
  } finally {
    sqlite.close();
  }
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
  if (hasOld) {
    await removeSecondNames(target);
    await link(target, aside);
  } else if (await exists(target)) {
    throw new StartError(`${target} was created meanwhile.`);
  }
  for (const suffix of ['-wal', '-shm', '-journal']) {
    if (await exists(target + suffix)) await rename(target + suffix, aside + suffix);
  }
  await syncFolder(target);
  await rename(part, target);
  await syncFolder(target);
  return hasOld ? aside : undefined;
}

/** A restore that was killed before the exchange has left the database a second name. */
async function removeSecondNames(target: string): Promise<void> {
  const { ino, nlink } = await stat(target, { bigint: true });
  if (nlink === 1n) return;
  const folder = dirname(target);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${basename(target)}.replaced-`)) continue;
    const other = join(folder, name);
    if ((await stat(other, { bigint: true })).ino === ino) await rm(other);
  }
}
