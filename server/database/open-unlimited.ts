/** Opens a database for the long work of a command: without time limits, and as it is. */

import { Kysely } from 'kysely';
import type { DatabaseSettings } from './open.ts';
import { migrationDialect, type PostgresSettings } from './postgres.ts';
import { openPools, SqliteThreadsDialect } from './sqlite.ts';
import type { Db, Tables } from './tables.ts';

export type UnlimitedDatabase = { db: Db; close(): Promise<void> };

/** A missing SQLite file is created. On PostgreSQL there is one connection, to the server itself. */
export function openUnlimited(settings: DatabaseSettings): UnlimitedDatabase {
  return settings.engine === 'sqlite' ? openFile(settings.file, false) : openServer(settings);
}

/** Opens a SQLite file that may be no store's, and changes nothing, not even its header. */
export const openFileForReads = (file: string): UnlimitedDatabase => openFile(file, true);

function openFile(file: string, isForReads: boolean): UnlimitedDatabase {
  const { writer, readers, close } = openPools(
    { engine: 'sqlite', file, readTimeoutMs: 0, statementTimeoutMs: 0 },
    { isLimited: () => false, onError: () => {} },
  );
  const dialect = new SqliteThreadsDialect({ readers, writer: isForReads ? readers : writer });
  return { db: new Kysely<Tables>({ dialect }), close };
}

function openServer(settings: PostgresSettings): UnlimitedDatabase {
  const db = new Kysely<Tables>({
    dialect: migrationDialect({ ...settings, url: settings.directUrl ?? settings.url }),
  });
  return { db, close: () => db.destroy() };
}
