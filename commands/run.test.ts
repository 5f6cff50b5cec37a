import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, test } from 'vitest';
import { recordActivity } from '../server/activity/activity.ts';
import {
  createStoreDatabase,
  createTestDatabase,
  fileOf,
  type TestDatabase,
} from '../server/testing/test-database.ts';
import { outcomeOf, runShop, startShop } from './testing/shop.ts';

let testDatabase: TestDatabase;
beforeEach(async () => {
  testDatabase = await createStoreDatabase();
});

const shop = (...args: readonly string[]) => runShop(args, { DATABASE_URL: testDatabase.url });

test('shop activity prints a line for each entry, or one JSON array, newest first', async () => {
  const actor = { customerId: 'c1', email: 'ada@example.com', address: '192.0.2.1' };
  await testDatabase.use(async ({ db }) => {
    await recordActivity(db, 'admin-signed-in', actor);
    await recordActivity(db, 'book-added', actor, { book: { id: 'b1', title: 'Emma\u001b[2J' } });
  });

  const { stdout, stderr, exitCode } = await shop('activity', '--json');
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  const none = { token: null, subject: null, details: null };
  const entry = { at: expect.any(String), ...actor, ...none };
  expect(JSON.parse(stdout)).toEqual([
    { ...entry, action: 'book-added', bookId: 'b1', bookTitle: 'Emma\u001b[2J' },
    { ...entry, action: 'admin-signed-in', bookId: null, bookTitle: null },
  ]);
  expect(await shop('activity', '--limit', '1')).toEqual({
    stdout: expect.stringMatching(
      /^\S+Z {2}book-added {2,}ada@example\.com {2}192\.0\.2\.1 {2}b1 {2}Emma\ufffd\[2J\n$/,
    ),
    stderr: 'There are more: --limit lists more than 1.\n',
    exitCode: 0,
  });

  expect((await shop('activity', '--who', 'nobody')).stderr).toBe('No entry is listed.\n');
});

const backwards = '--since 2026-02-01 --until 2026-01-31';
const notBackwards = '--until: Must not be before the first day.';
const isbn =
  '--isbn: write the 10 or 13 digits of the ISBN as they stand on the book: one of these may be mistyped';
const wrongUsages: [call: string, sentence: string][] = [
  ['', 'A command is missing'],
  ['nonsense', '"nonsense" is no command'],
  ['tokens delete', '"tokens delete" is no command; --help lists them.'],
  ['tokens revoke', 'NAME is missing'],
  ['tokens revoke one two', "Unexpected argument 'two'"],
  ['tokens create --name import', '--may: it is missing: catalogue or orders'],
  ['tokens create --name a:b --may orders', '--name: "a:b" is not a name'],
  ['tokens create --name -x', 'needs a value'],
  ['activity --since yesterday', '--since: Write a day such as 2026-11-21.'],
  ['activity --nonsense', "Unknown option '--nonsense'"],
  ['activity --json=yes', "Option '--json' does not take an argument"],
  ['activity --limit 0', '--limit: "0" is not a whole number from 1 to'],
  ['activity --action nonsense', '--action: "nonsense" is none of'],
  [`activity ${backwards}`, notBackwards],
  [`sales ${backwards}`, notBackwards],
  [`sales best-sellers ${backwards}`, notBackwards],
  ['sales --since 1999-01-01', '--since: Must be less than 3,700 days before the last day.'],
  ['sales --by year', '--by: "year" is none of day, week, month'],
  [`orders list ${backwards}`, notBackwards],
  ['orders list --state old', '--state: "old" is none of all, new, sent'],
  [`orders export - ${backwards}`, notBackwards],
  ['orders export', 'FILE is missing'],
  ['orders mark-sent', 'ID is missing'],
  [`orders withdraw x --reason ${'x'.repeat(501)}`, '--reason: Must not be longer than 500 characters.'],
  ['orders set-address x', 'TEXT is missing'],
  ['orders set-address x y\u0007', 'TEXT: Must be text without control characters.'],
  [`orders set-address x ${'y'.repeat(501)}`, 'TEXT: Must not be longer than 500 characters.'],
  ['customers erase', 'EMAIL is missing'],
  ['books edit', 'ID is missing'],
  ['books edit b1 --price 1.999', '--price: write an amount with at most two decimals, such as 12.99'],
  ['books edit b1 --title ', '--title: must not be empty'],
  ['books edit b1 --isbn 978-0-14-143958-8', isbn],
  [
    'books edit b1 --copies 1.5',
    '--copies: write a whole number from 0 to 9,999, or leave it empty: any number',
  ],
  ['books edit b1 --front-table yes', '--front-table: "yes" is none of on, off'],
  ['books change b1', 'Say with one option what to change'],
  ['books change b1 --percent 5 --delete', 'Say with one option what to change'],
  ['books change b1 --percent -101', 'Must be >= -100.'],
  ['books change b1 --price 12,500', 'Write an amount with at most two decimals, such as 12.99.'],
];

test('wrong usage is one sentence and exit code 2, also of the process', async () => {
  for (const [call, sentence] of wrongUsages) {
    const { stdout, stderr, exitCode } = await shop(...(call === '' ? [] : call.split(' ')));

    expect({ call, stdout, exitCode }).toEqual({ call, stdout: '', exitCode: 2 });
    expect(stderr).toContain(sentence);
    expect(stderr).toMatch(/^[^\n]+\n$/);
  }
  expect(await outcomeOf(startShop(['nonsense'], {}))).toMatchObject({ exitCode: 2 });
  // A reader that closes the output early is no failure.
  const help = startShop(['--help'], {}, { stdio: ['ignore', 'pipe', 'ignore'] });
  help.stdout?.destroy();
  expect(await once(help, 'exit')).toEqual([0, null]);
});

test('a database that is not of this version, or is not there, is refused in one sentence, and stays as it is', async () => {
  const refused = (sentence: string) => ({ stdout: '', stderr: `DATABASE_URL: ${sentence}\n`, exitCode: 1 });
  testDatabase = await createTestDatabase();
  const file = fileOf(testDatabase.url);

  for (const _ of ['first', 'again']) {
    expect(await shop('activity')).toEqual(refused(`there is no database at ${file}.`));
  }
  const foreign = new DatabaseSync(file);
  foreign.exec('create table foo (id integer)');
  expect(await shop('activity')).toEqual(
    refused(`${file} has no tables of the store: its first start makes them.`),
  );
  expect(foreign.prepare('select name from sqlite_schema').all()).toMatchObject([{ name: 'foo' }]);
  foreign.close();
  expect(await runShop(['activity'], { DATABASE_URL: 'postgres://127.0.0.1:1/store' })).toEqual(
    refused('PostgreSQL at 127.0.0.1:1 cannot be reached (ECONNREFUSED).'),
  );
});

test('shop tokens makes a token, lists it, and revokes it once', async () => {
  const made = await shop('tokens', 'create', '--name', 'import', '--may', 'catalogue');
  expect(made).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^colophon_[\w-]{43}\n$/) });
  const again = await shop('tokens', 'create', '--name', 'import', '--may', 'orders');
  expect(again).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining('Choose another') });

  const list = async () => JSON.parse((await shop('tokens', 'list', '--json')).stdout);
  const token = { name: 'import', may: 'catalogue', createdAt: expect.any(String), lastUsedAt: null };
  expect(await list()).toEqual([{ ...token, revokedAt: null }]);

  expect(await shop('tokens', 'revoke', 'import')).toEqual({
    ...{ exitCode: 0, stdout: '' },
    stderr: 'import is revoked now.\n',
  });
  expect(await list()).toEqual([{ ...token, revokedAt: expect.any(String) }]);
  expect(await shop('tokens', 'revoke', 'import')).toMatchObject({ exitCode: 1 });
});
