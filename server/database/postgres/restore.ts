import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { StartError } from '../../start-error.ts';
import { countRows } from '../backup/counts.ts';
import {
  knowsEnded,
  nothingReapplied,
  type Restored,
  type RestoreOptions,
  readQueries,
  readReapplied,
  reapplyStatements,
  type UnknownEnded,
  unfinishedErasures,
} from '../backup/reapplied.ts';
import { checkForeign, describeMigrated } from '../check-schema.ts';
import { type AppliedMigration, checkNotNewer, listApplied, MigrationError } from '../migrate.ts';
import { migrations } from '../migrations/index.ts';
import { explained } from '../open-error.ts';
import { openUnlimited } from '../open-unlimited.ts';
import type { Db } from '../tables.ts';
import { timeName } from '../whole-file.ts';
import { readServerMajor, replacedSchema } from './back-up.ts';
import type { PostgresSettings } from './client.ts';
import { checkProgram, connectionEnvironment, endOf, startProgram } from './programs.ts';
import { postgresSchema } from './schema.ts';
import { tryLockMigrations } from './transactions.ts';

export async function restorePostgres(
  settings: PostgresSettings,
  file: string,
  options: RestoreOptions,
): Promise<Restored> {
  const { db, close } = openUnlimited(settings);
  const restoring = () => db.connection().execute((db) => restoreOn(db, settings, file, options));
  return await explained(settings, restoring).finally(close);
}

async function restoreOn(
  db: Db,
  settings: PostgresSettings,
  file: string,
  { isForced, onStep, finish }: RestoreOptions,
): Promise<Restored> {
  const serverMajor = await readServerMajor(db);
  await checkProgram('pg_restore', serverMajor);
  const major = await checkProgram('psql', serverMajor);
  await lockStore(db, settings);
  const old = await listApplied(db);
  const moves = await listMoves(db, `${replacedSchema}${timeName().toLowerCase()}`);
  const hasStore = moves !== undefined;
  if (hasStore && !isForced) {
    throw new StartError('The database has a store already; --force replaces it, and keeps it aside.');
  }
  const applied = await readMigrations(file);
  await checkNotNewer(db, applied, migrations).catch((error: unknown) => {
    throw error instanceof MigrationError ? new StartError(`${file} ${error.message}`) : error;
  });
  const expected = await describeMigrated(db, applied);
  const unknown = hasStore ? await whyUnknown(db, old, applied) : 'none';
  let notes: string[] = [];
  const lines = await runScript(
    file,
    connectionEnvironment(settings.directUrl ?? settings.url, major),
    onStep,
    {
      before: moves?.statements ?? [],
      schema: postgresSchema.schemaQuery.compile(db).sql,
      checkSchema(schema) {
        notes = checkForeign(file, expected, schema);
      },
      after: moves === undefined || unknown !== undefined ? [] : reapplyStatements(moves.aside),
    },
  );
  const ended = unknown === undefined ? readReapplied(lines) : { again: nothingReapplied(), unknown };
  if (applied.length === Object.keys(migrations).length) await finish(db, ended.again);
  else if (ended.again.erased.length > 0) notes.push(unfinishedErasures);
  onStep('gathering statistics for the planner', 0);
  await sql`analyze`.execute(db);
  return { ...(await countRows(db)), ...ended, notes, replaced: moves?.aside };
}

/** The rest of a dump is read by its restore alone, whose transaction ends where the dump does. */
async function readMigrations(file: string): Promise<AppliedMigration[]> {
  const reading = startProgram('pg_restore', ['--data-only', '--table=kysely_migration', '--file=-', file]);
  const output = await text(reading.stdout);
  await endOf('pg_restore', reading);
  const [, columns = '', lines = ''] = /^COPY \S+ \((.*)\) FROM stdin;\n(.*?)^\\\.$/ms.exec(output) ?? [];
  const names = columns.split(', ');
  return lines
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const cells = new Map(line.split('\t').map((cell, index) => [names[index], cell]));
      const fingerprint = cells.get('fingerprint') ?? '\\N';
      return { name: cells.get('name') ?? '', fingerprint: fingerprint === '\\N' ? null : fingerprint };
    });
}

/** A store that is damaged is replaced too: each table is read, so that no statement fails that runs after the dump. */
async function whyUnknown(
  db: Db,
  old: readonly AppliedMigration[],
  restored: readonly AppliedMigration[],
): Promise<UnknownEnded | undefined> {
  if (!knowsEnded(restored)) return 'tooOld';
  if (old.length > 0 && !knowsEnded(old)) return 'another';
  try {
    for (const query of Object.values(readQueries)) await sql.raw(query).execute(db);
    return undefined;
  } catch {
    return 'unreadable';
  }
}

/**
 * A node that starts waits for this lock of the migrations. Nodes that run would go on with what they have in memory. Idle connections
 * may be those of a pooler, which keeps the name of a node that has stopped; or those of a node that runs and is idle.
 */
async function lockStore(db: Db, { url }: PostgresSettings): Promise<void> {
  const isFree = await tryLockMigrations(db);
  const { rows } = await sql<{ count: number; areIdle: boolean | null; hosts: string }>`
    select count(*) as count, bool_and(state = 'idle') as "areIdle",
      string_agg(distinct coalesce(host(client_addr), 'a socket'), ', ') as hosts
    from pg_stat_activity
    where datname = current_database() and application_name = 'colophon' and pid <> pg_backend_pid()
  `.execute(db);
  const { count = 0, areIdle, hosts } = rows[0] ?? {};
  if (isFree && Number(count) === 0) return;
  const inUse = `The database at ${new URL(url).host} is in use: stop all nodes of the store first.`;
  const ofPooler = `Its connections (${count}, from ${hosts}) are all idle: if a pooler is there, let it close them (PgBouncer: RECONNECT).`;
  throw new StartError(areIdle ? `${inUse} ${ofPooler}` : inUse);
}

type Moves = { aside: string; statements: string[] };

/**
 * @param aside another schema.
 * @returns statements that move everything of the store there, but not what belongs to an extension; undefined if there is no store.
 * One that is damaged may lack a table.
 */
async function listMoves(db: Db, aside: string): Promise<Moves | undefined> {
  const { rows } = await sql<{ statement: string }>`
    with store as (
      select relnamespace as oid from pg_class
      where oid = coalesce(to_regclass('kysely_migration'), to_regclass('books'), to_regclass('customers'))
    )
    select format('alter table %s set schema %I;', pg_class.oid::regclass, ${aside}::text) as statement
      from pg_class join store on relnamespace = store.oid
      where relkind in ('r', 'p', 'v', 'm')
        and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
    union all
    select format('alter routine %s set schema %I;', pg_proc.oid::regprocedure, ${aside}::text)
      from pg_proc join store on pronamespace = store.oid
      where not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
  `.execute(db);
  if (rows.length === 0) return undefined;
  return { aside, statements: [`create schema ${aside};`, ...rows.map(({ statement }) => statement)] };
}

type Script = {
  /** Statements. */
  before: readonly string[];
  /** A query for names and lines. */
  schema: string;
  /** Gets the result of that query. What it throws ends the transaction. */
  checkSchema(schema: Map<string, string>): void;
  after: readonly string[];
};

/** The line of the schema has this form. */
const schemaMark = 'schema ';

/**
 * One transaction of psql: moves the old store aside, reads the dump, and checks its schema. It commits only what it has read to the
 * end: if this process dies, psql sees the end of its input, and no commit.
 * @returns the lines that it printed.
 */
async function runScript(
  file: string,
  environment: Readonly<Record<string, string>>,
  onStep: RestoreOptions['onStep'],
  { before, schema, checkSchema, after }: Script,
): Promise<string[]> {
  const psql = startProgram(
    'psql',
    [
      ...['--no-psqlrc', '--quiet', '--no-password', '--set=ON_ERROR_STOP=1'],
      ...['--tuples-only', '--no-align'],
    ],
    environment,
  );
  const lines: string[] = [];
  const described = Promise.withResolvers<string>();
  createInterface({ input: psql.stdout }).on('line', (line) => {
    if (line.startsWith(schemaMark)) described.resolve(line.slice(schemaMark.length));
    else lines.push(line);
  });
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
    psql.stdin.write(`begin;\n${before.join('\n')}\n`);
    let bytes = 0;
    for await (const chunk of reading.stdout as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      onStep('restoring', bytes);
      if (psql.exitCode !== null) break;
      if (!psql.stdin.write(chunk)) await Promise.race([once(psql.stdin, 'drain'), ended]);
    }
    if (psql.exitCode === null) await endOf('pg_restore', reading);
    // The dump has set another search path.
    psql.stdin.write(`reset search_path;
      select '${schemaMark}' || json_object_agg(name, lines) from (${schema}) as described;\n`);
    const json = await Promise.race([described.promise, ended]);
    if (json !== undefined) checkSchema(new Map(Object.entries(JSON.parse(json))));
    const last = ['delete from sessions', ...after, 'notify catalogue', 'commit'];
    psql.stdin.end(`${last.join(';\n')};\n`);
    await ended;
    return lines;
  } finally {
    psql.kill('SIGKILL');
    reading.kill('SIGKILL');
  }
}
