import { StartError } from '../start-error.ts';
import { MigrationError } from './migrate.ts';
import type { PostgresSettings } from './postgres/pools.ts';
import type { SqliteSettings } from './sqlite/open.ts';
import { codeOf, isUnavailable, sqliteCodeOf } from './unavailable.ts';

export type DatabaseSettings = SqliteSettings | PostgresSettings;

/** @returns a sentence that begins with the setting, without the password; undefined for an error that the operator cannot correct. */
export function openErrorMessage(error: unknown, settings: DatabaseSettings): string | undefined {
  if (error instanceof StartError) return error.message;
  const fault =
    settings.engine === 'sqlite' ? sqliteFault(error, settings.file) : postgresFault(error, settings.url);
  return fault && `DATABASE_URL: ${fault}`;
}

export function atDirectUrl(settings: DatabaseSettings, error: unknown): unknown {
  if (settings.engine === 'sqlite' || settings.directUrl === undefined) return error;
  const fault = postgresFault(error, settings.directUrl);
  return fault ? new StartError(`DATABASE_DIRECT_URL: ${fault}`, { cause: error }) : error;
}

export async function explained<Result>(
  settings: DatabaseSettings,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const message = openErrorMessage(error, settings);
    throw message === undefined || error instanceof StartError ? error : new StartError(message);
  }
}

/** SQLite's READONLY, CORRUPT and NOTADB. */
const lastingFaults = [8, 11, 26];

function sqliteFault(error: unknown, file: string): string | undefined {
  if (error instanceof MigrationError) return `${file} ${error.message}`;
  const { code, syscall } = error as { code?: string; syscall?: string };
  if (syscall === 'open' || syscall === 'access') return `${file} cannot be opened (${code}).`;
  if (syscall === 'mkdir') return `the folder of ${file} cannot be made (${code}).`;
  const isOperators = isUnavailable(error) || lastingFaults.includes(sqliteCodeOf(error) ?? 0);
  return isOperators ? `${file} cannot be used (${(error as Error).message}).` : undefined;
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
  // PostgreSQL's sentence says more than its code; Node's code says more than its sentence.
  const reason = /^E[A-Z_]+$/.test(code) ? code : error.message;
  if (isUnavailable(error)) return `${server} cannot be reached (${reason}).`;
  // The URL of the database can name files of certificates.
  return /SSL|certificate|ENOENT/.test(error.message) ? `${server}: ${error.message}.` : undefined;
}
