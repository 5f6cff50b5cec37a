/** The errors of the database and of the system that are transient: the same call may succeed shortly. */

import { StartError } from '../start-error.ts';

export class UnavailableError extends Error {}

/** Nothing was executed: too many statements wait, or this one could not begin in time. */
export class BusyError extends UnavailableError {}

export const codeOf = (error: unknown): unknown => (error as { code?: unknown } | undefined)?.code;

/** A serialization failure or a deadlock: the transaction was rolled back, and may succeed if it is repeated. */
export const isConflict = (error: unknown): boolean => /^(40001|40P01)$/.test(String(codeOf(error)));

const networkCodes =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

export const isNetworkError = (error: unknown): boolean => networkCodes.test(String(codeOf(error)));

/** The system's own errors: no disk space, quota, file descriptors, memory or processes left. */
const exhaustionCodes = /^(ENOSPC|EDQUOT|EMFILE|ENFILE|ENOMEM|EAGAIN)$/;

/**
 * PostgreSQL's conditions (its manual, appendix A): connection exceptions, insufficient resources, operator intervention, errors of the system
 * such as a disk that fails; a server that is read-only since a failover, `lock_timeout`; a role, a password or a database that has changed
 * since the start.
 */
const postgresConditions = /^(08|28|53|57|58)...$|^(25006|3D000|55000|55P03)$/;

/** Messages of `pg`'s errors without a code. */
const poolMessages =
  /connection (terminated|ended)|timeout (exceeded|expired)|query read timeout|not queryable/i;

/** SQLite's primary result codes: BUSY and LOCKED; IOERR, FULL and CANTOPEN. */
const sqliteLocks = [5, 6];
const sqliteFaults = [10, 13, 14];
export const sqliteCodeOf = (error: unknown): number | undefined =>
  codeOf(error) === 'ERR_SQLITE_ERROR' ? Number((error as { errcode?: unknown }).errcode) & 0xff : undefined;

export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof UnavailableError || isConflict(error)) return true;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (typeof code !== 'string') return poolMessages.test(error.message);
  // PostgreSQL creates its socket file when it starts.
  if (code === 'ENOENT') return syscall === 'connect';
  const sqliteCode = sqliteCodeOf(error);
  if (sqliteCode !== undefined) return [...sqliteLocks, ...sqliteFaults].includes(sqliteCode);
  return [networkCodes, exhaustionCodes, postgresConditions].some((codes) => codes.test(code));
}

/** Faults of a start that only an operator can remove: wrong credentials, no such database, a full disk. */
const lastingCodes = /^(28...|3D000|53100|ENOSPC|EDQUOT)$/;

export const canWaitingHelp = (error: unknown): boolean =>
  error instanceof StartError
    ? canWaitingHelp(error.cause)
    : isUnavailable(error) &&
      !lastingCodes.test(String(codeOf(error))) &&
      !sqliteFaults.includes(sqliteCodeOf(error) ?? 0);
