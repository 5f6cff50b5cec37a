/** Why a database cannot be used, in a sentence for the operator. */

import { StartError } from '../start-error.ts';
import { MigrationError } from './migrate.ts';
import type { PostgresSettings } from './postgres/pools.ts';
import type { SqliteSettings } from './sqlite/open.ts';
import { codeOf, isUnavailable, sqliteCodeOf } from './unavailable.ts';

export type DatabaseSettings = SqliteSettings | PostgresSettings;

/** A failure at DATABASE_DIRECT_URL, with the message and the code of its cause. */
export class DirectAddressError extends Error {
  readonly code: unknown;

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.code = codeOf(cause);
  }
}

/** @returns a sentence that begins with the setting, without the password; undefined for what the operator cannot correct. */
export function openErrorMessage(error: unknown, settings: DatabaseSettings): string | undefined {
  if (error instanceof StartError) return error.message;
  if (settings.engine === 'sqlite') return prefixed('DATABASE_URL', sqliteFault(error, settings.file));
  if (error instanceof DirectAddressError && settings.directUrl !== undefined) {
    return prefixed('DATABASE_DIRECT_URL', postgresFault(error.cause, settings.directUrl));
  }
  return prefixed('DATABASE_URL', postgresFault(error, settings.url));
}

const prefixed = (setting: string, message: string | undefined): string | undefined =>
  message && `${setting}: ${message}`;

/** @throws {StartError} with {@link openErrorMessage}, where there is one. */
export async function explained<Result>(
  settings: DatabaseSettings,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const message = openErrorMessage(error, settings);
    throw message === undefined ? error : new StartError(message);
  }
}

/** By SQLite's primary result codes. */
const sqliteFaults: Readonly<Record<number, string>> = {
  5: 'is locked by another process',
  6: 'is locked by another process',
  8: 'cannot be written to',
  10: 'cannot be read or written',
  11: 'is damaged',
  13: 'is on a disk that is full',
  14: 'cannot be opened',
  26: 'is no SQLite database',
};

/** @param file how the sentence calls it. */
function sqliteFault(error: unknown, file: string): string | undefined {
  if (error instanceof MigrationError) return `${file} ${error.message}`;
  const { code, syscall } = error as { code?: string; syscall?: string };
  if (syscall === 'open' || syscall === 'access') return `${file} cannot be opened (${code}).`;
  if (syscall === 'mkdir') return `the folder of ${file} cannot be made (${code}).`;
  const fault = sqliteFaults[sqliteCodeOf(error) ?? 0];
  if (fault) return `${file} ${fault}.`;
  return isUnavailable(error) ? `${file} cannot be used (${(error as Error).message}).` : undefined;
}

export function asSqliteFault(error: unknown, file: string): unknown {
  const fault = sqliteFault(error, file);
  return fault === undefined ? error : new StartError(fault);
}

function postgresFault(error: unknown, url: string): string | undefined {
  // pg decodes the parts of the address only when it connects.
  if (error instanceof URIError)
    return 'a % in the user, the password or the database must be written as %25.';
  if (!(error instanceof Error)) return undefined;
  const { host, username, pathname } = new URL(url);
  const server = `PostgreSQL at ${host || 'its default address'}`;
  if (error instanceof MigrationError) return `the database of ${server} ${error.message}`;
  const code = String(codeOf(error) ?? '');
  // PostgreSQL's conditions (its manual, appendix A): invalid authorization, no such database, insufficient privilege.
  if (code.startsWith('28'))
    return `${server} does not let "${username}" in: the user or the password is wrong.`;
  if (code === '3D000') return `${server} has no database "${pathname.slice(1)}".`;
  if (code === '42501') return `${server} does not let "${username}" make tables (${error.message}).`;
  if (code === '25006') return `${server} is read-only, as a standby is.`;
  // pg gives these errors no code.
  if (/password must be/.test(error.message)) return `${server} wants a password.`;
  if (/SSL|certificate/.test(error.message)) return `${server}: ${error.message}.`;
  // PostgreSQL's sentence says more than its code, Node's code more than its sentence.
  const reason = /^E[A-Z_]+$/.test(code) ? code : error.message;
  if (isUnavailable(error)) return `${server} cannot be reached (${reason}).`;
  return code === 'ENOENT' ? `names a file that cannot be read (${error.message}).` : undefined;
}
