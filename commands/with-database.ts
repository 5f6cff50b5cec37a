import { existsSync } from 'node:fs';
import { type Database, type DatabaseSettings, openDatabase } from '../server/database/open.ts';
import { explained } from '../server/database/open-error.ts';
import type { Db } from '../server/database/tables.ts';
import { checkCurrency } from '../server/orders/check-currency.ts';
import { loadEnvFile } from '../server/settings/env-file.ts';
import { readDatabaseSettings, readShopSettings } from '../server/settings/settings.ts';
import { StartError } from '../server/start-error.ts';
import type { Io } from './command.ts';

/** @returns the database in DATABASE_URL, from the environment or `.env`. @throws {StartError} when a setting is wrong. */
export const databaseSettings = ({ env }: Io): DatabaseSettings =>
  readDatabaseSettings(env, loadEnvFile(env));

/** Checks for the file: SQLite would create an empty one. @throws {StartError} when it is missing. */
export function existingDatabase(io: Io): DatabaseSettings {
  const settings = databaseSettings(io);
  if (settings.engine === 'postgres' || existsSync(settings.file)) return settings;
  throw new StartError(`DATABASE_URL: there is no database at ${settings.file}.`);
}

/** Opens the database for some work. @throws {StartError} when the setting is wrong, or the database is missing, cannot be opened or is lost. */
export async function withDatabase<Done>(io: Io, work: (database: Database) => Promise<Done>): Promise<Done> {
  const settings = existingDatabase(io);
  return await explained(settings, async () => {
    const database = await openDatabase(settings, { isReadAsItIs: true });
    return await work(database).finally(() => database.close());
  });
}

/** Call this function after `.env` was read. @throws {StartError} when a setting is wrong, or the shop has another currency. */
export async function shopSettings({ env }: Io, db: Db) {
  const settings = readShopSettings(env);
  await checkCurrency(db, settings.currency);
  return settings;
}
