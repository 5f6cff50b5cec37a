import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, chown, link, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { StartError } from '../../start-error.ts';
import { sqliteFault } from '../open-error.ts';
import type { SqliteSettings } from '../sqlite.ts';
import { checkSqliteFile } from './check-sqlite.ts';
import { lockFile } from './lock-file.ts';
import type { Restored, RestoreOptions } from './restore.ts';
import {
  asFileError,
  exists,
  partOf,
  removeLeftovers,
  removePart,
  syncFile,
  syncFolder,
  timeName,
} from './whole-file.ts';

export async function restoreSqlite(
  { file: target }: Pick<SqliteSettings, 'file'>,
  file: string,
  { isForced, onStep }: RestoreOptions,
): Promise<Restored> {
  await checkIsAtRest(file, target);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const lock = (await exists(target)) ? lockFile(target) : undefined;
  const part = partOf(target);
  try {
    if (lock?.hasContent && !isForced) {
      throw new StartError(`${target} has a database already; --force replaces it, and keeps it aside.`);
    }
    await removeLeftovers(target);
    await copy(file, part, onStep);
    onStep('checking', 0);
    prepare(part, file);
    const counts = await checkSqliteFile(part, file, false);
    await takeRightsOf(target, part);
    await syncFile(part);
    return { ...counts, replaced: await swap(part, target, lock !== undefined) };
  } catch (error) {
    await removePart(part);
    throw asFileError(target, error);
  } finally {
    lock?.release();
  }
}

/** A database that a process has open is not whole without its log. */
async function checkIsAtRest(file: string, target: string): Promise<void> {
  const [own, other] = await Promise.all(
    [file, target].map((name) => stat(name, { bigint: true }).catch(() => undefined)),
  );
  if (own && other && own.ino === other.ino && own.dev === other.dev) {
    throw new StartError(`${file} is the database itself.`);
  }
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

/** Makes one file of a copy that another tool has made with a log, and ends the sessions. */
function prepare(part: string, name: string): void {
  const sqlite = new DatabaseSync(part);
  try {
    sqlite.exec('pragma journal_mode = delete; pragma secure_delete = on');
    const hasSessions = sqlite.prepare("select 1 from sqlite_schema where name = 'sessions'").get();
    if (hasSessions) sqlite.exec('delete from sessions');
  } catch (error) {
    const fault = sqliteFault(error, { file: name });
    throw fault === undefined ? error : new StartError(fault);
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
