import { StartError } from '../../start-error.ts';
import type { DatabaseSettings } from '../open.ts';
import { openErrorMessage } from '../open-error.ts';

/** For a command. @throws {StartError} with {@link openErrorMessage}, for work that the operator can make succeed. */
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
