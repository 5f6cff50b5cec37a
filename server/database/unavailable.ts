/** The errors of the database and of the system that are transient: the same call may succeed shortly. */

/** The database did not carry out a statement, or did not report in time whether it has. */
export class UnavailableError extends Error {}

/** Too many statements wait for the database, or none could begin in time. Nothing was executed. */
export class BusyError extends Error {}

/** PostgreSQL is read-only, as a standby is. */
export class ReadOnlyError extends UnavailableError {
  /** PostgreSQL's own, for a change. */
  readonly code = '25006';
}

/** @returns the `code` of an error of Node or a database; undefined where there is none. */
export const codeOf = (error: unknown): unknown => (error as { code?: unknown } | undefined)?.code;

/** SQLite's primary result codes: BUSY, LOCKED, IOERR, FULL, CANTOPEN. */
const sqliteCodes: ReadonlySet<number> = new Set([5, 6, 10, 13, 14]);

/**
 * PostgreSQL's conditions (its manual, appendix A): connection exceptions, insufficient resources, operator
 * intervention, a server that is read-only since a failover, `lock_timeout`; a server that lets a new connection no longer
 * in: the role, the password or the database has changed, or it takes no connections.
 */
const postgresConditions = /^(08|28|53|57)...$|^(25006|3D000|55000|55P03)$/;

/** PostgreSQL's conditions: a serialization failure, a deadlock. */
const conflictConditions = /^(40001|40P01)$/;

/** Another transaction was in the way, so that this one was rolled back. It may succeed when it is repeated. */
export const isConflict = (error: unknown): boolean => conflictConditions.test(String(codeOf(error)));

/** Network errors, by Node's names. */
const networkCodes =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

export const isNetworkError = (error: unknown): boolean => networkCodes.test(String(codeOf(error)));

/** The system's own: a disk or a quota is full, there are no more file descriptors, memory or processes. */
const exhaustionCodes = /^(ENOSPC|EDQUOT|EMFILE|ENFILE|ENOMEM|EAGAIN)$/;

/** Messages of `pg`'s errors without a code. */
const poolMessages =
  /connection (terminated|ended)|timeout (exceeded|expired)|query read timeout|not queryable/i;

/** SQLite's primary result codes: BUSY, LOCKED. */
const sqliteLockCodes: ReadonlySet<number> = new Set([5, 6]);

/**
 * PostgreSQL's conditions: connection exceptions; too many connections; the server stops, has crashed or is starting;
 * it is a standby that has not taken over yet; a time limit, as of a statement that waited for a lock.
 */
const transientConditions = /^(08...|53300|57P0[123]|25006|57014|55P03)$/;

/** PgBouncer has one condition for all its errors, a wrong password included: a protocol violation. */
const poolerCondition = '08P01';
const transientPoolerMessages =
  /too many (clients|connections)|no more connections|starting up|shutting down|recovery mode|server_login_retry|query_wait_timeout|server closed|connect failed/;

/**
 * A database that could not be opened, or not be changed at the start, may soon be there, without a change by the
 * operator: it is starting, its name is not known yet, or others have its connections or its locks. A full disk or a path
 * that cannot be opened stay as they are.
 */
export function canWaitingHelp(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isConflict(error) || error instanceof BusyError) return true;
  const { code, errcode, syscall } = error as { code?: unknown; errcode?: unknown; syscall?: unknown };
  if (code === 'ERR_SQLITE_ERROR') return typeof errcode === 'number' && sqliteLockCodes.has(errcode & 0xff);
  // The socket file of a PostgreSQL on this machine, which the server makes when it starts.
  if (code === 'ENOENT') return syscall === 'connect';
  if (code === poolerCondition) return transientPoolerMessages.test(error.message);
  if (typeof code === 'string') return networkCodes.test(code) || transientConditions.test(code);
  if (error instanceof AggregateError) return error.errors.some(canWaitingHelp);
  return poolMessages.test(error.message) || canWaitingHelp(error.cause);
}

/** The database or the system cannot serve right now; it did not reject the query. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof BusyError || error instanceof UnavailableError || isConflict(error)) return true;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (code === 'ERR_SQLITE_ERROR') return typeof errcode === 'number' && sqliteCodes.has(errcode & 0xff);
  if (typeof code === 'string') {
    return networkCodes.test(code) || exhaustionCodes.test(code) || postgresConditions.test(code);
  }
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  return poolMessages.test(error.message);
}
