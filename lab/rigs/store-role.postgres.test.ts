/** The role that deploy/store-role.sh makes for the store of compose.yaml. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../server/database/open.ts';
import { checkDatabase } from '../../server/operations/check/check-database.ts';
import { readDatabaseSettings } from '../../server/settings/settings.ts';
import {
  createPostgresDatabase,
  type PostgresServer,
  runStatements,
  startPostgres,
} from '../../server/testing/postgres-server.ts';
import { findProgram } from '../../server/testing/programs.ts';

const script = join(import.meta.dirname, '..', '..', 'deploy', 'store-role.sh');

async function runScript(server: PostgresServer, DATABASE_PASSWORD: string): Promise<void> {
  const { port, username: POSTGRES_USER } = new URL(server.url);
  await promisify(execFile)('sh', [script], {
    env: {
      ...process.env,
      PGHOST: '127.0.0.1',
      PGPORT: port,
      POSTGRES_USER,
      POSTGRES_DB: 'colophon',
      DATABASE_PASSWORD,
    },
  });
}

test.for(['an empty database', 'the database of a store that a superuser has made'])(
  'the role owns %s, and is no superuser',
  async (kind, { skip }) => {
    skip(findProgram('psql') === undefined, 'psql is not installed');
    const server = await startPostgres();
    onTestFinished(server.stop);
    const url = await createPostgresDatabase(server.url, 'colophon');
    const open = async (url: string) => {
      const warnings: string[] = [];
      const onWarning = (warning: string) => warnings.push(warning);
      const database = await openDatabase(readDatabaseSettings({ DATABASE_URL: url }), { onWarning });
      return { ...database, warnings };
    };
    if (kind !== 'an empty database') await (await open(url)).close();
    await runStatements(
      url,
      'create schema colophon_replaced_x',
      'create table colophon_replaced_x.books (id text)',
    );

    await runScript(server, "it's $1");
    await runScript(server, "it's $2");

    const role = url.replace('//postgres@', '//store@');
    const { db, warnings, close } = await open(role);
    const findings = await Array.fromAsync(checkDatabase(db, () => {}));
    await close();
    expect({ warnings, faults: findings.flatMap(({ faults }) => faults) }).toEqual({
      warnings: [],
      faults: [],
    });
    // What migrations, a backup and the end of a replaced store need.
    await runStatements(
      role,
      'alter table books add column later text',
      'drop trigger announce_books on books',
      'drop function announce_books() cascade',
      'drop schema colophon_replaced_x cascade',
    );
    const [row] = await runStatements(
      url,
      "select rolsuper, rolpassword like 'SCRAM%' as has_password from pg_authid where rolname = 'store'",
    );
    expect(row).toEqual({ rolsuper: false, has_password: true });
  },
);
