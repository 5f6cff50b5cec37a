import { StartError } from '../../start-error.ts';
import { MigrationError } from '../migrate.ts';
import { isUnavailable } from '../unavailable.ts';

/** SQLite's primary result codes. */
const sqliteFaults: ReadonlyMap<number, string> = new Map([
  [5, 'is locked by another process'],
  [6, 'is locked by another process'],
  [8, 'cannot be written to'],
  [10, 'cannot be read or written'],
  [11, 'is damaged'],
  [13, 'is on a disk that is full'],
  [14, 'cannot be opened'],
  [26, 'is no SQLite database'],
]);

/** @returns a sentence; undefined for what the operator cannot correct. */
export function sqliteFault(error: unknown, { file }: { file: string }): string | undefined {
  if (error instanceof MigrationError) return `${file} ${error.message}`;
  const { code, errcode, syscall } = error as { code?: string; errcode?: number; syscall?: string };
  if (syscall === 'open' || syscall === 'access') return `${file} cannot be opened (${code}).`;
  if (syscall === 'mkdir') return `the folder of ${file} cannot be made (${code}).`;
  const fault = code === 'ERR_SQLITE_ERROR' && sqliteFaults.get(Number(errcode) & 0xff);
  if (fault) return `${file} ${fault}.`;
  return isUnavailable(error) ? `${file} cannot be used (${(error as Error).message}).` : undefined;
}

/** @param file how the message calls it. */
export function asSqliteFault(error: unknown, file: string): unknown {
  const fault = sqliteFault(error, { file });
  return fault === undefined ? error : new StartError(fault);
}
