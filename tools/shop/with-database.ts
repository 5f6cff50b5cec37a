import { existsSync } from 'node:fs';
import { explained } from '../../server/database/backup/explained.ts';
import { type Database, type DatabaseSettings, openDatabase } from '../../server/database/open.ts';
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
 * @throws {StartError} when the setting is wrong, or the database is missing, cannot be opened or is lost.
 */
export async function withDatabase<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  const settings = databaseSettings();
  if (settings.engine === 'sqlite' && !existsSync(settings.file)) {
    // Opened, it would be created, empty.
    throw new StartError(`DATABASE_URL: there is no database at ${settings.file}.`);
  }
  return await explained(settings, async () => {
    const database = await openDatabase(settings, { isReadAsItIs: true });
    return await work(database).finally(() => database.close());
  });
}
