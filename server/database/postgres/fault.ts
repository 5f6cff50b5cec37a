import { MigrationError } from '../migrate.ts';
import { canWaitingHelp, codeOf, isConflict, isUnavailable } from '../unavailable.ts';

export class OtherDatabaseError extends Error {}

export class DirectAddressError extends Error {
  constructor(cause: unknown) {
    super('the direct address of the database cannot be used', { cause });
  }
}

export function postgresFault(error: unknown, url: string): string | undefined {
  // pg decodes the parts of the address only when it connects.
  if (error instanceof URIError)
    return 'a % in the user, the password or the database must be written as %25.';
  if (!(error instanceof Error)) return undefined;
  const { host, username, pathname } = new URL(url);
  if (error instanceof OtherDatabaseError) return 'names another database than DATABASE_URL.';
  const server = `PostgreSQL at ${host || 'its default address'}`;
  if (error instanceof MigrationError) return `the database of ${server} ${error.message}`;
  const code = firstCodeOf(error);
  // PostgreSQL's conditions (its manual, appendix A): invalid authorization, no such database, insufficient privilege.
  if (code.startsWith('28'))
    return `${server} does not let "${username}" in: the user or the password is wrong.`;
  if (code === '3D000') return `${server} has no database "${pathname.slice(1)}".`;
  if (code === '42501') return `${server} does not let "${username}" make tables (${error.message}).`;
  // pg gives these errors no code.
  if (/password must be/.test(error.message)) return `${server} wants a password.`;
  if (/SSL|certificate/.test(error.message)) return `${server}: ${error.message}.`;
  if (code === '25006') return `${server} is read-only, as a standby is.`;
  const { syscall } = error as { syscall?: unknown };
  if (code === 'ENOENT' && syscall !== 'connect')
    return `names a file that cannot be read (${error.message}).`;
  // PostgreSQL's sentence says more than its code, Node's code more than its sentence.
  const reason = /^E[A-Z_]+$/.test(code) ? code : error.message;
  if (isConflict(error) || /^(57014|55P03)$/.test(code)) {
    return `${server} did not carry out a statement (${reason}).`;
  }
  if (isUnavailable(error) || canWaitingHelp(error)) return `${server} cannot be reached (${reason}).`;
  return undefined;
}

/** A host name with several addresses fails with an error for each. @returns the code of the first. */
function firstCodeOf(error: Error): string {
  const code = codeOf(error);
  if (typeof code === 'string') return code;
  return error instanceof AggregateError && error.errors[0] instanceof Error
    ? firstCodeOf(error.errors[0])
    : '';
}
