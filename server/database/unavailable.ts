/** The errors of the database and of the system that are transient: the same call may succeed shortly. */

/** A statement was not carried out, or its result did not come in time. */
export class UnavailableError extends Error {}

/** Nothing was executed: too many statements wait, or it could not begin in time. */
export class BusyError extends Error {}

export class ReadOnlyError extends UnavailableError {
  readonly code = '25006';
}

export const codeOf = (error: unknown): unknown => (error as { code?: unknown } | undefined)?.code;

/** SQLite's primary result codes: BUSY, LOCKED, IOERR, FULL, CANTOPEN. */
const sqliteCodes: ReadonlySet<number> = new Set([5, 6, 10, 13, 14]);

/**
 * PostgreSQL's conditions (its manual, appendix A): connection exceptions, insufficient resources, operator intervention, a server that is
 * read-only since a failover, `lock_timeout`; a role, a password or a database that has changed since the start.
 */
const postgresConditions = /^(08|28|53|57)...$|^(25006|3D000|55000|55P03)$/;

/** A serialization failure or a deadlock: the transaction was rolled back, and may succeed when it is repeated. */
export const isConflict = (error: unknown): boolean => /^(40001|40P01)$/.test(String(codeOf(error)));

const networkCodes =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

export const isNetworkError = (error: unknown): boolean => networkCodes.test(String(codeOf(error)));

/** The system's own: no more disk, quota, file descriptors, memory or processes. */
const exhaustionCodes = /^(ENOSPC|EDQUOT|EMFILE|ENFILE|ENOMEM|EAGAIN)$/;

/** Messages of `pg`'s errors without a code. */
const poolMessages =
  /connection (terminated|ended)|timeout (exceeded|expired)|query read timeout|not queryable/i;

/** BUSY, LOCKED. */
const sqliteLockCodes: ReadonlySet<number> = new Set([5, 6]);

/** Connection exceptions; too many connections; a server that stops or starts; a standby that has not taken over yet; a time limit. */
const transientConditions = /^(08...|53300|57P0[123]|25006|57014|55P03)$/;

/** PgBouncer's for all its errors, a wrong password included. */
const poolerCondition = '08P01';
const transientPoolerMessages =
  /too many (clients|connections)|no more connections|starting up|shutting down|recovery mode|server_login_retry|query_wait_timeout|server closed|connect failed/;

/** The database may soon be there without a change by the operator. A full disk or a path that cannot be opened stay as they are. */
export function canWaitingHelp(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isConflict(error) || error instanceof BusyError) return true;
  const { code, errcode, syscall } = error as { code?: unknown; errcode?: unknown; syscall?: unknown };
  if (code === 'ERR_SQLITE_ERROR') return typeof errcode === 'number' && sqliteLockCodes.has(errcode & 0xff);
  // PostgreSQL makes its socket file when it starts.
  if (code === 'ENOENT') return syscall === 'connect';
  if (code === poolerCondition) return transientPoolerMessages.test(error.message);
  if (typeof code === 'string') return networkCodes.test(code) || transientConditions.test(code);
  if (error instanceof AggregateError) return error.errors.some(canWaitingHelp);
  return poolMessages.test(error.message) || canWaitingHelp(error.cause);
}

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
