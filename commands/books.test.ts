import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
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
const image = 'https://covers.example/a.jpg';
const rowOf = (cells: Partial<Record<CsvColumn, string>>) =>
  csvColumns.map((column) => cells[column] ?? '').join();
const file = [
  csvColumns.join(),
  rowOf({ id: 'b1', title: 'Emma', author: 'Jane Austen', price: '12.99', image, keywords: 'regency' }),
  rowOf({ id: 'b2', title: '=2+2', author: 'A', price: '1.00', image }),
  '',
].join('\r\n');
const writeBooks = async (content = file) => {
  await writeFile(path('books.csv'), content);
  return path('books.csv');
};
const importBooks = async () => await shop('import', await writeBooks());

describe('books import', () => {
  test('prints the counts, and nothing on standard error', async () => {
    const dry = await shop('import', await writeBooks(), '--dry-run');
    expect(dry).toEqual({
      stdout: '2 added, 0 changed, 0 unchanged, 0 wrong (nothing was done)\n',
      stderr: '',
      exitCode: 0,
    });

    expect((await importBooks()).stdout).toBe('2 added, 0 changed, 0 unchanged, 0 wrong\n');
    expect((await importBooks()).stdout).toBe('0 added, 0 changed, 2 unchanged, 0 wrong\n');
  });

  test('prints one JSON object with --json, and exits with 1 when a row is wrong', async () => {
    const { stdout, stderr, exitCode } = await shop(
      'import',
      await writeBooks(`${file}${rowOf({ id: 'b3', author: 'A', price: '1', image })}\n`),
      '--json',
    );

    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 1 });
    expect(JSON.parse(stdout)).toEqual({
      added: 2,
      changed: 0,
      unchanged: 0,
      errors: [{ line: 4, column: 'title', reason: 'Must not be empty.' }],
      errorCount: 1,
      missingImages: 0,
    });
  });

  test('shows with --dry-run which books would change, and what', async () => {
    await importBooks();
    await deleteBook(database.db, 'b2', commandActor);
    const long = `https://covers.example/${'a'.repeat(90)}/1.jpg`;

    const { stdout, stderr } = await shop(
      'import',
      await writeBooks(
        `title,author,price,image,keywords\nEmma,Jane Austen,10.99,${long},\n'=2+2,A,1,${image},\nemma,jane austen,1,${image},\n`,
      ),
      '--dry-run',
    );

    expect(stdout).toBe(
      `line 2, Emma: image https://covers.example/a.jpg → https://covers.example/${'a'.repeat(17)}…${'a'.repeat(34)}/1.jpg, ` +
        'keywords regency → none, price $12.99 → $10.99\n' +
        'line 3, =2+2: for sale again\n' +
        '1 added, 1 changed, 1 restored, 0 unchanged, 0 wrong (nothing was done)\n',
    );
    expect(stderr).toBe(
      '1 new book is spelled like a book of the store, but for capital letters or spaces:\n' +
        'line 4: emma by jane austen, like Emma by Jane Austen (b1)\n',
    );
  });

  test('says of more than a hundred changes how many more there are', async () => {
    const rows = (price: number) =>
      Array.from({ length: 103 }, (_, index) => `T${index},A,${price},${image}\n`).join('');
    await shop('import', await writeBooks(`title,author,price,image\n${rows(1)}`));

    const { stdout } = await shop(
      'import',
      await writeBooks(`title,author,price,image\n${rows(2)}`),
      '--dry-run',
    );

    expect(stdout.split('\n').slice(99)).toEqual([
      'line 101, T99: price $1.00 → $2.00',
      'and 3 more',
      '0 added, 103 changed, 0 unchanged, 0 wrong (nothing was done)',
      '',
    ]);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('stopped by %s says how far it is', async (signal) => {
    const rows = Array.from({ length: 20_000 }, (_, index) => `T${index},A,1,${image}\n`);
    const path = await writeBooks(`title,author,price,image\n${rows.join('')}`);
    const child = startShop(['books', 'import', path], environment);
    const countBooks = async () => (await database.db.selectFrom('books').select('id').execute()).length;
    await expect.poll(countBooks, { interval: 20, timeout: 20_000 }).toBeGreaterThan(0);

    child.kill(signal);

    const outcome = await outcomeOf(child);
    const line = ((await countBooks()) + 1).toLocaleString('en');
    expect(outcome).toEqual({
      stdout: '',
      stderr: `Stopped. Everything up to line ${line} is done. Import the same file again: it goes on from there.\n`,
      exitCode: 1,
    });
  });

  test('reads standard input, and names each wrong row on standard error', async () => {
    const input = `title,author,price,image\nEmma,A,1,${image}\nT,A,x,${image}\nT,A\n`;

    expect(await runShop(['books', 'import', '-'], environment, input)).toEqual({
      stdout: '1 added, 0 changed, 0 unchanged, 2 wrong\n',
      stderr:
        'line 3, price: Write an amount with at most two decimals, such as 12.99.\n' +
        'line 4: Has 2 cells, and the first line has 4.\n',
      exitCode: 1,
    });
  });

  test.each([
    ['nowhere.csv', `There is no file ${resolve('nowhere.csv')}.\n`],
    ['.', '. is a folder.\n'],
  ])('says in one sentence that %s is no file', async (name, stderr) => {
    expect(await shop('import', name)).toEqual({ stdout: '', stderr, exitCode: 1 });
  });
});

describe('books export', () => {
  test('writes what an import takes, to a file or to standard output', async () => {
    await importBooks();

    const out = path('out.csv');
    expect(await shop('export', out)).toEqual({
      stdout: '',
      stderr: `Exported 2 books to ${out}.\n`,
      exitCode: 0,
    });

    const expected = file.replace('=2+2', "'=2+2");
    expect(await readFile(out, 'utf8')).toBe(expected);
    expect(await shop('export', '-')).toEqual({
      stdout: expected,
      stderr: 'Exported 2 books.\n',
      exitCode: 0,
    });
  });
});

describe('books list, edit and restore', () => {
  beforeEach(async () => {
    expect(await importBooks()).toMatchObject({ stderr: '', exitCode: 0 });
  });

  test('set the copies of a book, and count them up and down', async () => {
    const copies = async (value: string): Promise<number | null> =>
      JSON.parse((await shop('edit', 'b1', '--copies', value, '--json')).stdout).copies;

    expect(await copies('3')).toBe(3);
    expect(await copies('+1')).toBe(4);
    expect(await copies('-1')).toBe(3);
    expect(await copies('0')).toBe(0);
    expect((await shop('list', '--sold-out')).stdout).toMatch(/^b1 .* {2}sold out {2}/);
    expect((await shop('edit', 'b1', '--copies', '-1')).stderr).toBe('This book is sold out.\n');
    expect(await copies('')).toBeNull();
  });

  test('list the books for sale, and the deleted ones', async () => {
    await deleteBook(database.db, 'b1', commandActor);

    expect(JSON.parse((await shop('list', '--json')).stdout)).toMatchObject([{ _id: 'b2', title: '=2+2' }]);
    expect(JSON.parse((await shop('list', '--json', '--deleted')).stdout)).toMatchObject([{ _id: 'b1' }]);
    expect((await shop('list')).stdout).toBe('b2        1.00  =2+2  A\n');
  });

  test('list books with words, and so many', async () => {
    const ids = async (...args: string[]) =>
      JSON.parse((await shop('list', '--json', ...args)).stdout).map(({ _id }: { _id: string }) => _id);

    expect(await ids('--q', 'austen')).toEqual(['b1']);
    expect(await ids('--q', 'tolstoy')).toEqual([]);
    expect((await shop('list', '--q', 'tolstoy')).stderr).toBe('No book is listed.\n');
    expect((await shop('list', '--limit', '1')).stderr).toBe('There are more: --limit lists more than 1.\n');
    expect((await shop('list', '--limit', '2')).stderr).toBe('');
    expect(await ids('--limit', '1')).toEqual(['b2']);
  });

  test('change what is named, and print the book', async () => {
    const { stdout, stderr } = await shop('edit', 'b1', '--price', '9.5', '--keywords', '', '--json');

    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({
      _id: 'b1',
      title: 'Emma',
      price: { value: 9.5 },
      keywords: null,
      version: 2,
    });
  });

  test('give a book an ISBN and a description, and take them away', async () => {
    const edit = async (isbn: string, description: string) =>
      JSON.parse((await shop('edit', 'b1', '--isbn', isbn, '--description', description, '--json')).stdout);

    expect(await edit('0-14-143958-0', 'Clean.\n\n\nSigned.\n')).toMatchObject({
      isbn: '9780141439587',
      isbnText: '978-0-14-143958-7',
      description: 'Clean.\n\nSigned.',
    });
    expect(await edit('', '')).toMatchObject({ isbn: null, description: null });
  });

  test('put a book on the front table, and take it off', async () => {
    const isOnTable = async (value: string): Promise<true | undefined> =>
      JSON.parse((await shop('edit', 'b1', '--front-table', value, '--json')).stdout).onFrontTable;

    expect(await isOnTable('on')).toBe(true);
    expect(await isOnTable('off')).toBeUndefined();
    for (const title of ['1', '2', '3', '4', '5', '6']) {
      const { id } = await addBook(database.db, { title, author: 'A', image, priceCents: 1 }, null);
      await setOnFrontTable(database.db, id, true, commandActor);
    }
    expect(await shop('edit', 'b1', '--front-table', 'on')).toEqual({
      stdout: '',
      stderr: 'The front table has six books already.\n',
      exitCode: 1,
    });
  });

  test('put a deleted book back', async () => {
    await deleteBook(database.db, 'b1', commandActor);

    expect((await shop('restore', 'b1')).stdout).toBe('b1       12.99  Emma  Jane Austen\n');
    expect(JSON.parse((await shop('list', '--json')).stdout)).toHaveLength(2);
  });

  test.each([
    [['edit', 'none', '--price', '1'], 'No book for sale has the id none.\n'],
    [['edit', 'b1', '--copies', '+1'], 'Any number of this book can be sold. Set a number first.\n'],
    [['restore', 'none'], 'No book has the id none.\n'],
    [
      ['edit', 'b1', '--image', 'http://a.example/'],
      '--image: Must be an https: address or an image uploaded to the store.\n',
    ],
    [
      ['edit', 'b1', '--image', `/images/${'ab'.repeat(16)}.webp`],
      '--image: The store does not have this image.\n',
    ],
  ])('%j fails with one sentence', async (args, stderr) => {
    expect(await shop(...args)).toEqual({ stdout: '', stderr, exitCode: 1 });
  });

  test.each([
    [['edit', 'b1', '--price', '1.999'], '--price: write an amount with at most two decimals, such as 12.99'],
    [['edit', 'b1', '--title', ' '], '--title: must not be empty'],
    [
      ['edit', 'b1', '--isbn', '978-0-14-143958-8'],
      '--isbn: write the 10 or 13 digits of the ISBN as they stand on the book: one of these may be mistyped',
    ],
    [
      ['edit', 'b1', '--copies', '1.5'],
      '--copies: write a whole number from 0 to 9,999, or leave it empty: any number',
    ],
    [['edit', 'b1', '--front-table', 'yes'], '--front-table: "yes" is none of on, off'],
    [['edit'], 'ID is missing'],
    [['import'], 'FILE is missing'],
  ])('%j is wrong usage', async (args, sentence) => {
    const { stdout, stderr, exitCode } = await shop(...args);

    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toBe(`${sentence}; --help lists the options.\n`);
  });
});

describe('books change', () => {
  test('changes several books, after a dry run that changes none', async () => {
    await importBooks();

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

  test.each([
    [[], 'Say with one option what to change'],
    [['--percent', '5', '--delete'], 'Say with one option what to change'],
    [['--percent', '-101'], '--percent: "-101" is not a number from -100 to 1000'],
    [['--price', '12,50'], '--price: Write 12.50'],
  ])('refuses %j', async (options, message) => {
    const { stderr, exitCode } = await shop('change', 'b1', ...options);

    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });
});
