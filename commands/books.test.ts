import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type CsvColumn, csvColumns } from '../contract/book-fields.ts';
import { commandActor } from '../server/activity/activity.ts';
import { addBook } from '../server/catalogue/books.ts';
import { deleteBook } from '../server/catalogue/delete-book.ts';
import type { Database } from '../server/database/open.ts';
import { setOnFrontTable } from '../server/front-table/front-table.ts';
import { createStoreDatabase, fileOf } from '../server/testing/test-database.ts';
import { outcomeOf, runShop, startShop } from './testing/shop.ts';

let folder: string;
let database: Database;
let environment: Record<string, string>;
beforeEach(async () => {
  const { url, open } = await createStoreDatabase();
  environment = { DATABASE_URL: url };
  folder = dirname(fileOf(url));
  database = await open();
});

const shop = (...args: readonly string[]) => runShop(['books', ...args], environment);
const path = (name: string) => join(folder, name);
const done = (stdout: string, stderr = '') => ({ stdout, stderr, exitCode: 0 });
const image = 'https://covers.example/a.jpg';
const rowOf = (cells: Partial<Record<CsvColumn, string>>) =>
  csvColumns.map((column) => cells[column] ?? '').join();
const file = [
  csvColumns.join(),
  rowOf({ id: 'b1', title: 'Emma', author: 'Jane Austen', price: '12.99', image, keywords: 'regency' }),
  rowOf({ id: 'b2', title: '=2+2', author: 'A', price: '1.00', image }),
  '',
].join('\r\n');
const importText = async (text: string, ...options: string[]) => {
  await writeFile(path('books.csv'), text);
  return await shop('import', path('books.csv'), ...options);
};

test('import prints the counts, names each wrong row on standard error, and exits with 1 where there is one', async () => {
  const dry = '2 added, 0 changed, 0 unchanged, 0 wrong (nothing was done)\n';
  expect(await importText(file, '--dry-run')).toEqual(done(dry));
  expect(await importText(file)).toEqual(done('2 added, 0 changed, 0 unchanged, 0 wrong\n'));

  const input = `title,author,price,image\nRomola,A,1,${image}\nT,A,x,${image}\nT,A\n`;
  expect(await runShop(['books', 'import', '-'], environment, input)).toEqual({
    stdout: '1 added, 0 changed, 0 unchanged, 2 wrong\n',
    stderr:
      'line 3, price: Write an amount with at most two decimals, such as 12.99.\n' +
      'line 4: Has 2 cells, and the first line has 4.\n',
    exitCode: 1,
  });
  const wrong = await importText(`${file}${rowOf({ id: 'b3', author: 'A', price: '1', image })}\n`, '--json');
  expect(wrong).toMatchObject({ stderr: '', exitCode: 1 });
  expect(JSON.parse(wrong.stdout)).toEqual({
    ...{ added: 0, changed: 0, unchanged: 2 },
    errors: [{ line: 4, column: 'title', reason: 'Must not be empty.' }],
    errorCount: 1,
    missingImages: 0,
  });
});

test('import --dry-run shows which books would change, and what, and of more than a hundred how many more', async () => {
  await importText(file);
  await deleteBook(database.db, 'b2', commandActor);
  const long = `https://covers.example/${'a'.repeat(90)}/1.jpg`;
  const head = 'title,author,price,image,keywords\n';

  const rows = `Emma,Jane Austen,10.99,${long},\n'=2+2,A,1,${image},\n`;
  expect(await importText(head + rows, '--dry-run')).toEqual(
    done(
      `line 2, Emma: image https://covers.example/a.jpg → https://covers.example/${'a'.repeat(17)}…${'a'.repeat(34)}/1.jpg, ` +
        'keywords regency → none, price $12.99 → $10.99\n' +
        'line 3, =2+2: for sale again\n' +
        '0 added, 1 changed, 1 restored, 0 unchanged, 0 wrong (nothing was done)\n',
    ),
  );

  const many = (price: number) =>
    head + Array.from({ length: 103 }, (_, index) => `T${index},A,${price},${image},\n`).join('');
  await importText(many(1));
  expect((await importText(many(2), '--dry-run')).stdout.split('\n').slice(99)).toEqual([
    'line 101, T99: price $1.00 → $2.00',
    'and 3 more',
    '0 added, 103 changed, 0 unchanged, 0 wrong (nothing was done)',
    '',
  ]);
});

test('an import that a signal stops says how far it is', async () => {
  const rows = Array.from({ length: 20_000 }, (_, index) => `T${index},A,1,${image}\n`);
  await writeFile(path('books.csv'), `title,author,price,image\n${rows.join('')}`);
  const child = startShop(['books', 'import', path('books.csv')], environment);
  const countBooks = async () => (await database.db.selectFrom('books').select('id').execute()).length;
  await expect.poll(countBooks, { interval: 20, timeout: 20_000 }).toBeGreaterThan(0);

  child.kill('SIGINT');

  const outcome = await outcomeOf(child);
  const line = ((await countBooks()) + 1).toLocaleString('en');
  expect(outcome).toEqual({
    stdout: '',
    stderr: `Stopped. Everything up to line ${line} is done. Import the same file again: it goes on from there.\n`,
    exitCode: 1,
  });
});

test('export writes what an import takes, and list has the books for sale, deleted, with words, and so many', async () => {
  await importText(file);
  const expected = file.replace('=2+2', "'=2+2");
  const out = path('out.csv');
  expect(await shop('export', out)).toEqual(done('', `Exported 2 books to ${out}.\n`));
  expect(await readFile(out, 'utf8')).toBe(expected);
  expect(await shop('export', '-')).toEqual(done(expected, 'Exported 2 books.\n'));

  const ids = async (...args: string[]) =>
    JSON.parse((await shop('list', '--json', ...args)).stdout).map(({ _id }: { _id: string }) => _id);
  expect(await ids('--q', 'austen')).toEqual(['b1']);
  expect((await shop('list', '--q', 'tolstoy')).stderr).toBe('No book is listed.\n');
  const more = 'There are more: --limit lists more than 1.\n';
  expect(await shop('list', '--limit', '1')).toEqual(done('b2       $1.00  =2+2  A\n', more));
  expect((await shop('list', '--limit', '2')).stderr).toBe('');
  await deleteBook(database.db, 'b1', commandActor);
  expect(await ids('--deleted')).toEqual(['b1']);
  expect((await shop('restore', 'b1')).stdout).toBe('b1      $12.99  Emma  Jane Austen\n');
  expect(await ids()).toEqual(['b2', 'b1']);
});

test('edit changes what is named, prints the book, and counts its copies up and down', async () => {
  await importText(file);
  const edit = async (...options: string[]) =>
    JSON.parse((await shop('edit', 'b1', ...options, '--json')).stdout);

  expect(await edit('--price', '9.5', '--keywords', '', '--isbn', '0-14-143958-0')).toMatchObject({
    ...{ _id: 'b1', title: 'Emma', price: { value: 9.5 }, keywords: null, version: 2 },
    isbn: '9780141439587',
  });
  const copies = [];
  for (const value of ['3', '+1', '-1', '0']) copies.push((await edit('--copies', value)).copies);
  expect(copies).toEqual([3, 4, 3, 0]);
  expect((await shop('list', '--sold-out')).stdout).toMatch(/^b1 .* {2}sold out {2}/);
  expect((await shop('edit', 'b1', '--copies', '-1')).stderr).toBe('This book is sold out.\n');
  expect((await edit('--copies', '')).copies).toBeNull();

  expect((await edit('--front-table', 'on')).onFrontTable).toBe(true);
  expect((await edit('--front-table', 'off')).onFrontTable).toBeUndefined();
  for (const title of ['1', '2', '3', '4', '5', '6']) {
    const { id } = await addBook(database.db, { title, author: 'A', image, priceCents: 1 }, null);
    await setOnFrontTable(database.db, id, true, commandActor);
  }
  const refused = await shop('edit', 'b1', '--front-table', 'on');
  expect(refused).toEqual({ stdout: '', stderr: 'The front table has six books already.\n', exitCode: 1 });
});

test('change changes several books, after a dry run that changes none', async () => {
  await importText(file);

  const dry = await shop('change', 'b1', 'b2', 'none', '--percent', '-10', '--dry-run');
  const { stdout } = await shop('change', 'b1', 'b2', '--percent', '-10', '--json');

  expect(dry.stdout).toContain('$12.99 → $11.69');
  expect(dry).toMatchObject({ stderr: 'none: gone\n', exitCode: 0 });
  expect(JSON.parse(stdout)).toMatchObject({
    changed: [
      { _id: 'b1', from: { price: 12.99 }, to: { price: 11.69 } },
      { _id: 'b2', from: { price: 1 }, to: { price: 0.9 } },
    ],
    skipped: [],
  });
  expect((await shop('change', 'b1', '--delete')).stdout).toContain('for sale → deleted');
  expect((await shop('change', 'b1', '--restore')).stdout).toContain('deleted → for sale');
});

const noImage = 'Must be an https: address or an image uploaded to the store.';
test('a call that fails says why in one sentence', async () => {
  await importText(file);
  // The file of a socket cannot be opened, not even by root.
  const unreadable = path('a.socket');
  const socket = createServer().listen(unreadable);
  onTestFinished(() => void socket.close());
  await once(socket, 'listening');

  for (const [call, sentence] of [
    ['import nowhere.csv', `There is no readable file ${resolve('nowhere.csv')}.`],
    [`import ${unreadable}`, `There is no readable file ${unreadable}.`],
    ['import .', `There is no readable file ${resolve('.')}.`],
    ['edit none --price 1', 'No book for sale has the id none.'],
    ['edit b1 --copies +1', 'Any number of this book can be sold. Set a number first.'],
    ['restore none', 'No book has the id none.'],
    ['edit b1 --image http://a.example/', noImage],
    [`edit b1 --image /images/${'ab'.repeat(16)}.webp`, 'The store does not have this image.'],
  ] as const) {
    expect(await shop(...call.split(' '))).toEqual({ stdout: '', stderr: `${sentence}\n`, exitCode: 1 });
  }
});
