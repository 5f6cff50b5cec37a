import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, chown, link, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { StartError } from '../../start-error.ts';
import { listApplied } from '../migrate.ts';
import { asSqliteFault } from '../sqlite/fault.ts';
import { isSameFile, makePrivateFolder } from '../sqlite/file.ts';
import type { SqliteSettings } from '../sqlite/open.ts';
import type { Db } from '../tables.ts';
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
import { endAgain, finishEnded, type Restored, type RestoreOptions, readKnown } from './ended.ts';
import { onConnection } from './one-connection.ts';
import { compareSchema } from './schema.ts';
import { checkSqliteFile } from './sqlite-check.ts';
import { type Lock, lockFile } from './sqlite-lock.ts';

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
    const restored = await restoreInto(part, file, lock, finish);
    await takeRightsOf(target, part);
    await syncFile(part);
    return { ...restored, replaced: await swap(part, target, lock !== undefined) };
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

/** Checks the copy, and ends in it what was ended since. @param name how messages call it. */
async function restoreInto(
  part: string,
  name: string,
  lock: Lock | undefined,
  finish: RestoreOptions['finish'],
): Promise<Omit<Restored, 'replaced'>> {
  const sqlite = new DatabaseSync(part);
  const db = onConnection(sqlite);
  try {
    // One file of a copy that has a log, such as one that another tool has made.
    sqlite.exec('pragma trusted_schema = off; pragma secure_delete = on; pragma journal_mode = delete');
    const counts = await checkSqliteFile(part, name, false);
    await checkCode(db, name);
    const known = lock?.hasContent ? await (lock.db ? readKnown(lock.db) : 'unreadable') : 'none';
    const ended = await db.transaction().execute((db) => endAgain(db, known));
    return { ...counts, ...ended, notes: await finishEnded(db, ended, finish) };
  } catch (error) {
    throw asSqliteFault(error, name);
  } finally {
    sqlite.close();
  }
}

/** @throws {StartError} for a trigger or a view that the store has not made: its statements would run it. Copies and caches need its own. */
async function checkCode(db: Db, name: string): Promise<void> {
  const { differences } = await compareSchema(db, await listApplied(db));
  const foreign = differences.find(({ isMissing, lines }) => !isMissing && /^(trigger|view)\b/m.test(lines));
  if (foreign) throw new StartError(`${name} has code that is not the store’s: ${foreign.sentence}`);
  // A table comes first: its triggers are lost with it.
  const [lost] = differences
    .filter(({ isMissing, lines }) => isMissing && /^(table|trigger) /.test(lines))
    .map(
      ({ sentence, lines }) =>
        `${lines.slice(0, lines.indexOf(' '))} ${sentence.replace(' is missing.', '')}`,
    )
    .sort();
  if (lost) throw new StartError(`${name} is damaged: it lacks the ${lost}. Restore another backup.`);
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
