import { once } from 'node:events';
import { sql } from 'kysely';
import { StartError } from '../../start-error.ts';
import { checkNotNewer, listApplied, MigrationError } from '../migrate.ts';
import { migrations } from '../migrations/index.ts';
import { openErrorMessage } from '../open-error.ts';
import { openUnlimited } from '../open-unlimited.ts';
import type { PostgresSettings } from '../postgres.ts';
import type { Db } from '../tables.ts';
import { readServerMajor, replacedSchema } from './back-up-postgres.ts';
import { countRows } from './check-sqlite.ts';
import { readDump } from './dump-contents.ts';
import { checkProgram, connectionEnvironment, endOf, startProgram } from './postgres-programs.ts';
import type { Restored, RestoreOptions } from './restore.ts';
import { timeName } from './whole-file.ts';

export async function restorePostgres(
  settings: PostgresSettings,
  file: string,
  { isForced, onStep }: RestoreOptions,
): Promise<Restored> {
  const url = settings.directUrl ?? settings.url;
  const { db, close } = openUnlimited(settings);
  try {
    return await db.connection().execute(async (db) => {
      const serverMajor = await readServerMajor(db);
      await checkProgram('pg_restore', serverMajor);
      const major = await checkProgram('psql', serverMajor);
      await lockStore(db, settings);
      const hasStore = (await listApplied(db)).length > 0;
      if (hasStore && !isForced) {
        throw new StartError('The database has a store already; --force replaces it, and keeps it aside.');
      }
      const contents = await readDump(file, (bytes) => onStep('checking', bytes));
      await checkNotNewer(db, contents.migrations, migrations).catch((error: unknown) => {
        throw error instanceof MigrationError ? new StartError(`${file} ${error.message}`) : error;
      });
      const aside = hasStore ? `${replacedSchema}${timeName().toLowerCase()}` : undefined;
      const moves = aside === undefined ? [] : await listMoves(db, aside);
      await runScript(file, moves, connectionEnvironment(url, major), onStep);
      onStep('gathering statistics for the planner', 0);
      await sql`analyze`.execute(db);
      return { ...(await countRows(db)), replaced: aside };
    });
  } catch (error) {
    const message = error instanceof StartError ? undefined : openErrorMessage(error, settings);
    throw message === undefined ? error : new StartError(message);
  } finally {
    await close();
  }
}

/** A node that starts waits for this lock of the migrations. Nodes that run would go on with what they have in memory. */
async function lockStore(db: Db, { url }: PostgresSettings): Promise<void> {
  const { rows: locks } = await sql<{ isFree: boolean }>`
    select pg_try_advisory_lock(3853314791062309107) as "isFree"
  `.execute(db);
  const { rows: nodes } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and application_name = 'colophon' and pid <> pg_backend_pid()
  `.execute(db);
  if (locks[0]?.isFree && Number(nodes[0]?.count) === 0) return;
  throw new StartError(`The database at ${new URL(url).host} is in use: stop all nodes of the store first.`);
}

/** @returns statements that move everything of the store to another schema, but not what belongs to an extension. */
async function listMoves(db: Db, aside: string): Promise<string[]> {
  const { rows } = await sql<{ statement: string }>`
    with store as (select relnamespace as oid from pg_class where oid = to_regclass('kysely_migration'))
    select format('alter table %s set schema %I;', pg_class.oid::regclass, ${aside}::text) as statement
      from pg_class join store on relnamespace = store.oid
      where relkind in ('r', 'p', 'v', 'm')
        and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
    union all
    select format('alter routine %s set schema %I;', pg_proc.oid::regprocedure, ${aside}::text)
      from pg_proc join store on pronamespace = store.oid
      where not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
  `.execute(db);
  return [`create schema ${aside};`, ...rows.map(({ statement }) => statement)];
}

/**
 * One transaction of psql: moves the old store aside, and reads the dump. It commits only what it has read to the end: if this
 * process dies, psql sees the end of its input, and no commit.
 */
async function runScript(
  file: string,
  moves: readonly string[],
  environment: Readonly<Record<string, string>>,
  onStep: RestoreOptions['onStep'],
): Promise<void> {
  const psql = startProgram(
    'psql',
    ['--no-psqlrc', '--quiet', '--no-password', '--set=ON_ERROR_STOP=1'],
    environment,
  );
  psql.stdout.resume();
  const ended = endOf('psql', psql);
  ended.catch(() => {});
  const reading = startProgram('pg_restore', [
    '--no-owner',
    '--no-privileges',
    '--no-comments',
    '--file=-',
    file,
  ]);
  try {
    psql.stdin.write(`begin;\n${moves.join('\n')}\n`);
    let bytes = 0;
    for await (const chunk of reading.stdout as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      onStep('restoring', bytes);
      if (psql.exitCode !== null) break;
      if (!psql.stdin.write(chunk)) await Promise.race([once(psql.stdin, 'drain'), ended]);
    }
    if (psql.exitCode === null) await endOf('pg_restore', reading);
    // The dump has set another search path.
    psql.stdin.end('reset search_path;\ndelete from sessions;\nnotify catalogue;\ncommit;\n');
    await ended;
  } finally {
    psql.kill('SIGKILL');
    reading.kill('SIGKILL');
  }
}
