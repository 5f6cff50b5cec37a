import { StartError } from '../start-error.ts';
import type { DatabaseSettings } from './open.ts';
import { DirectAddressError, postgresFault } from './postgres/fault.ts';
import { sqliteFault } from './sqlite/fault.ts';

/** @returns a sentence that begins with the setting, without the password; undefined for what the operator cannot correct. */
export function openErrorMessage(error: unknown, settings: DatabaseSettings): string | undefined {
  if (settings.engine === 'postgres' && error instanceof DirectAddressError && settings.directUrl) {
    return prefixed('DATABASE_DIRECT_URL', postgresFault(error.cause, settings.directUrl));
  }
  const message =
    settings.engine === 'sqlite' ? sqliteFault(error, settings) : postgresFault(error, settings.url);
  return prefixed('DATABASE_URL', message);
}

const prefixed = (setting: string, message: string | undefined): string | undefined =>
  message === undefined ? undefined : `${setting}: ${message}`;

/** @throws {StartError} with {@link openErrorMessage}, where there is one. */
export async function explained<Result>(
  settings: DatabaseSettings,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const message = error instanceof StartError ? undefined : openErrorMessage(error, settings);
    throw message === undefined ? error : new StartError(message);
  }
}
