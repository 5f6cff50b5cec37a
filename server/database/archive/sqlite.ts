import { chmod, chown, link, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../start-error.ts';
import { asSqliteFault } from '../open-error.ts';
import { makePrivateFolder } from '../sqlite/file.ts';
import type { Db } from '../tables.ts';
import { sqliteCodeOf } from '../unavailable.ts';
import { exists, syncFile, syncFolder, timeName, withPart } from '../whole-file.ts';
import { type MakeStore, readKnown } from './ended.ts';
import { onConnection } from './store-file.ts';

export async function replaceFile(target: string, isForced: boolean, make: MakeStore) {
  makePrivateFolder(dirname(target));
  using lock = (await exists(target)) ? lockFile(target) : undefined;
  if (lock?.hasContent && !isForced) {
    throw new StartError(`${target} has a database already; --force replaces it, and keeps it aside.`);
  }
  const known = lock?.hasContent && lock.db ? await readKnown(lock.db) : undefined;
  return await withPart(target, async (part) => {
    const restored = await make(part, known);
    await takeRightsOf(target, part);
    await syncFile(part);
    return { ...restored, replaced: await swap(part, target, lock !== undefined) };
  });
}

/** `hasContent`: there are tables, or the file is damaged. `db`: on the only connection; undefined for a damaged file. */
type Lock = { hasContent: boolean; db: Db | undefined } & Disposable;

/** Takes a SQLite file for this process alone, with its log moved into it. @throws {StartError} if another one has it open. */
export function lockFile(target: string): Lock {
  const sqlite = new DatabaseSync(target, { timeout: 0 });
  try {
    // The checkpoint needs all locks, and leaves one file.
    sqlite.exec('pragma journal_mode = delete');
    // From now on, a store that starts waits.
    sqlite.exec('begin exclusive');
    const tables = sqlite.prepare('select count(*) as count from sqlite_schema').get();
    const hasContent = tables?.['count'] !== 0;
    return { hasContent, db: onConnection(sqlite), [Symbol.dispose]: () => sqlite.close() };
  } catch (error) {
    sqlite.close();
    const code = sqliteCodeOf(error);
    if (code === 5 || code === 6) {
      throw new StartError(`${target} is in use by another process: stop the store first.`);
    }
    // A damaged file, or one that is no database, cannot be locked; a restore may replace such a file.
    if (code === 11 || code === 26) return { hasContent: true, db: undefined, [Symbol.dispose]() {} };
    throw asSqliteFault(error, target);
  }
}

/** Copies owner and rights: the store may run as a user other than root, and its group may read the file for backups. */
async function takeRightsOf(target: string, part: string): Promise<void> {
  const file = await stat(target).catch(() => undefined);
  const { uid, gid } = file ?? (await stat(dirname(target)));
  if (process.getuid?.() === 0) await chown(part, uid, gid);
  await chmod(part, file ? file.mode & 0o770 : 0o600);
}

/** Replaces the file: at each moment the path has the old or the new file, and never beside the other's log, which would damage it. */
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
