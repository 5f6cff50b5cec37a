import { existsSync } from 'node:fs';
import { type Database, type DatabaseSettings, openDatabase } from '../../server/database/open.ts';
import { openErrorMessage } from '../../server/database/open-error.ts';
import { envFileNames, loadEnvFile } from '../../server/env-file.ts';
import { readDatabaseSettings } from '../../server/settings.ts';
import { StartError } from '../../server/start-error.ts';

/** @returns what DATABASE_URL names, in the environment or in `.env`. @throws {StartError} when a setting is wrong. */
export function databaseSettings(): DatabaseSettings {
  loadEnvFile();
  return readDatabaseSettings(process.env, envFileNames);
}

/**
 * Opens the database that DATABASE_URL names, in the environment or in `.env`, and closes it after the work.
 * @throws {StartError} when the setting is wrong, or the database is missing or cannot be opened.
 */
export async function withDatabase<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  const settings = databaseSettings();
  if (settings.engine === 'sqlite' && !existsSync(settings.file)) {
    // Opened, it would be created, empty.
    throw new StartError(`DATABASE_URL: there is no database at ${settings.file}.`);
  }
  const database = await openDatabase(settings, { isReadAsItIs: true }).catch((error: unknown) => {
    const message = openErrorMessage(error, settings);
    throw message === undefined ? error : new StartError(message);
  });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
