/** Explains to the operator why a database could not be opened. */

import { MigrationError } from './migrate.ts';
import type { DatabaseSettings } from './open.ts';
import type { PostgresSettings } from './postgres.ts';
import type { SqliteSettings } from './sqlite.ts';
import { canWaitingHelp, isUnavailable } from './unavailable.ts';

/** @returns one sentence, without the password, or undefined for an error that the operator cannot correct. */
export const openErrorMessage = (error: unknown, settings: DatabaseSettings): string | undefined =>
  settings.engine === 'sqlite' ? sqliteFault(error, settings) : postgresFault(error, settings);

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

function sqliteFault(error: unknown, { file }: SqliteSettings): string | undefined {
  if (error instanceof MigrationError) return `${file} ${error.message}`;
  const { code, errcode, syscall } = error as { code?: string; errcode?: number; syscall?: string };
  if (syscall === 'open') return `${file} cannot be opened (${code}).`;
  if (syscall === 'mkdir') return `the folder of ${file} cannot be made (${code}).`;
  const fault = code === 'ERR_SQLITE_ERROR' && sqliteFaults.get(Number(errcode) & 0xff);
  return fault ? `${file} ${fault}.` : undefined;
}

function postgresFault(error: unknown, { url }: PostgresSettings): string | undefined {
  // pg decodes the parts of the address only when it connects.
  if (error instanceof URIError)
    return 'a % in the user, the password or the database must be written as %25.';
  if (!(error instanceof Error)) return undefined;
  const { host, username, pathname } = new URL(url);
  const server = `PostgreSQL at ${host || 'its default address'}`;
  if (error instanceof MigrationError) return `the database of ${server} ${error.message}`;
  const code = codeOf(error);
  // PostgreSQL's conditions (its manual, appendix A): invalid authorization, no such database, insufficient privilege.
  if (code.startsWith('28'))
    return `${server} does not let "${username}" in: the user or the password is wrong.`;
  if (code === '3D000') return `${server} has no database "${pathname.slice(1)}".`;
  if (code === '42501') return `${server} does not let "${username}" make tables (${error.message}).`;
  // pg gives these errors no code.
  if (/password must be/.test(error.message)) return `${server} wants a password.`;
  if (/SSL|certificate/.test(error.message)) return `${server}: ${error.message}.`;
  const { syscall } = error as { syscall?: unknown };
  if (code === 'ENOENT' && syscall !== 'connect')
    return `names a file that cannot be read (${error.message}).`;
  // PostgreSQL's sentence says more than its code, Node's code more than its sentence.
  const reason = /^E[A-Z_]+$/.test(code) ? code : error.message;
  if (isUnavailable(error) || canWaitingHelp(error)) return `${server} cannot be reached (${reason}).`;
  return undefined;
}

/** A host name with several addresses fails with an error for each. @returns the code of the first. */
function codeOf(error: Error): string {
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return code;
  return error instanceof AggregateError && error.errors[0] instanceof Error ? codeOf(error.errors[0]) : '';
}
