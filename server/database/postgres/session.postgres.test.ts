import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, inject, onTestFinished, test } from 'vitest';
import { checkSettings } from '../../operations/check/check-settings.ts';
import { readDatabaseSettings } from '../../settings/settings.ts';
import { runStatements, shopRole } from '../../testing/postgres-server.ts';
import { asSuperuser, createStoreDatabase } from '../../testing/test-database.ts';
import { compareSchema } from '../archive/schema.ts';
import { listApplied } from '../migrate.ts';
import { openDatabase, openUnlimited } from '../open.ts';
import { openErrorMessage } from '../open-error.ts';

const server = inject('postgresUrl');

async function createInEncoding(encoding: string): Promise<string> {
  const name = `encoded_${randomUUID().replaceAll('-', '')}`;
  await runStatements(
    server,
    `create database ${name} encoding '${encoding}' lc_collate 'C' lc_ctype 'C' template template0 owner ${shopRole}`,
  );
  onTestFinished(async () => void (await runStatements(server, `drop database ${name} with (force)`)));
  const url = new URL(`/${name}`, server);
  url.username = shopRole;
  return url.href;
}

/** @returns how a start ends, and a check of the settings: why they fail, and what they warn of. */
async function open(url: string) {
  const settings = readDatabaseSettings({ DATABASE_URL: url });
  const warnings: string[] = [];
  const fault = await openDatabase(settings, { onWarning: (warning) => warnings.push(warning) }).then(
    ({ close }) => close(),
    (error) => openErrorMessage(error, settings),
  );
  const checks = (await checkSettings({ DATABASE_URL: url })).filter(({ name }) => name === 'DATABASE_URL');
  return {
    fault,
    warnings,
    checks: checks.map(({ ok, reason, isWarning = false }) => ({ ok, isWarning, reason })),
  };
}

test('a database in another encoding is refused, and named', async () => {
  const url = await createInEncoding('LATIN1');

  const { fault, checks } = await open(url);

  const reason = `the database of PostgreSQL at ${new URL(url).host} has the encoding LATIN1, and the store needs UTF8: make a database with UTF8, and restore a backup of this one there.`;
  expect(fault).toBe(`DATABASE_URL: ${reason}`);
  expect(checks).toEqual([{ ok: false, isWarning: false, reason }]);
});

test('a superuser is used, with a warning', async () => {
  const { fault, warnings, checks } = await open(asSuperuser((await createStoreDatabase()).url));

  const sentence = / lets the store in as "postgres", a superuser, /;
  expect(fault).toBeUndefined();
  expect(warnings).toEqual([expect.stringMatching(sentence)]);
  expect(checks).toEqual([
    { ok: true, isWarning: false, reason: 'the database can be opened.' },
    { ok: true, isWarning: true, reason: expect.stringMatching(sentence.source.slice(1)) },
  ]);
});

/** Defaults of a database with which statements mean something else. */
const defaults = [
  'standard_conforming_strings = off',
  'array_nulls = off',
  'transform_null_equals = on',
  'gin_fuzzy_search_limit = 1',
  'synchronous_commit = off',
  'quote_all_identifiers = on',
  "bytea_output = 'escape'",
  "datestyle = 'German'",
  "intervalstyle = 'sql_standard'",
];

test('a database with other defaults is used as any other', async () => {
  const { url } = await createStoreDatabase();
  const name = new URL(url).pathname.slice(1);
  await runStatements(server, ...defaults.map((setting) => `alter database ${name} set ${setting}`));
  const settings = readDatabaseSettings({ DATABASE_URL: url });
  const { db, close } = await openDatabase(settings);
  const unlimited = await openUnlimited(settings);

  for (const one of [db, unlimited]) {
    const { rows } = await sql`select '\\n' as text, ${[null, 'a']}::text[] as list, null = ${null} as same,
      current_setting('gin_fuzzy_search_limit') as limit, current_setting('synchronous_commit') as commit`.execute(
      one,
    );
    expect(rows).toEqual([{ text: '\\n', list: [null, 'a'], same: null, limit: '0', commit: 'on' }]);
    expect((await compareSchema(one, await listApplied(one))).faults).toEqual([]);
  }
  await Promise.all([close(), unlimited.destroy()]);
});
