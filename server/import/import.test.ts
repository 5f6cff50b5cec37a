import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { csvColumns } from '../../contract/book-fields.ts';
import { imageAddress } from '../../contract/image-address.ts';
import { commandActor, listActivity } from '../activity/activity.ts';
import { exportBooks } from '../catalogue/acts/export-books.ts';
import { addBook } from '../catalogue/books.ts';
import { deleteBook } from '../catalogue/delete-book.ts';
import { findBooks } from '../catalogue/find-books.ts';
import { storeImage } from '../images/images.ts';
import { shopOf } from '../testing/acts.ts';
import { makeFolder } from '../testing/ends-with-test.ts';
import { setUpSharedDatabase } from '../testing/test-database.ts';
import { type ImportOptions, importBooks } from './import-books.ts';
import { keepAddress, type RowImages } from './row-images.ts';

const database = setUpSharedDatabase();

const image = 'https://covers.example/a.jpg';
const storeOrigin = 'https://shop.example';

const keepFrom = (...imageOrigins: string[]): RowImages => ({
  keep: (image, current) => keepAddress({ storeOrigin, imageOrigins }, image, current),
});

const load = (file: string | Buffer, options: Partial<ImportOptions> = {}) =>
  importBooks(database.db, Readable.from([Buffer.from(file)]), {
    actor: commandActor,
    isDryRun: false,
    images: keepFrom('https:'),
    ...options,
  });

/** @returns a file with these rows; each cell is written without changes. */
const csv = (header: string, ...rows: readonly string[]) => `${[header, ...rows].join('\n')}\n`;
const header = 'title,author,price,image';
const good = `T,A,1,${image}`;

const exported = async () =>
  (
    await Array.fromAsync(
      await (await exportBooks.run(shopOf(database.db), { params: {}, query: {}, body: {} })).read(),
    )
  ).join('');
const trail = async () => (await listActivity(database.db, { limit: 10 })).entries;
const counts = (added: number, changed: number, unchanged: number) => ({ added, changed, unchanged });
const noErrors = { errors: [], errorCount: 0 };
const nothingElse = {
  ...noErrors,
  restored: 0,
  changes: [],
  missingImages: 0,
};

const storedBooks = () =>
  database.db
    .selectFrom('books')
    .select(['id', 'title', 'author', 'price_cents as priceCents', 'image', 'keywords', 'version'])
    .where('removed_at', 'is', null)
    .orderBy('seq')
    .execute();
const find = async (q: string) =>
  (await findBooks(database.db, { q, spelling: 'as-typed' })).books.map(({ title }) => title);
const wordCounts = async () => {
  const rows = await database.db
    .selectFrom('words')
    .selectAll()
    .where('books', '>', 0)
    .orderBy('word')
    .execute();
  return Object.fromEntries(rows.map(({ word, books }) => [word, Number(books)]));
};

describe('a file', () => {
  test('adds its rows in their order, and the searches find them', async () => {
    const result = await load(
      csv(
        `${header},keywords`,
        `"Emma, or ""Miss Woodhouse""",Jane Austen,12.99,${image},regency hartfield`,
        `  Persuasion ,Jane Austen,5,${image},`,
      ),
    );

    expect(result).toEqual({ ...counts(2, 0, 0), ...nothingElse });
    const title = 'Emma, or "Miss Woodhouse"';
    expect(await storedBooks()).toMatchObject([
      { title, priceCents: 1299, image, keywords: 'regency hartfield', version: 1 },
      { title: 'Persuasion', priceCents: 500, keywords: null },
    ]);
    expect([await find('hartfield'), await find('austen emma')]).toEqual([[title], [title]]);
    expect(await wordCounts()).toMatchObject({ austen: 2, jane: 2, hartfield: 1, persuasion: 1 });
  });

  test.each([
    ['headers in any order and case', `\ufeffPrice,IMAGE, Author ,title\n1,${image},A,T\n`],
    ['Windows line ends and no last one', `${header}\r\n${good}`],
    ['old Mac line ends', `${header}\r${good}\r`],
    ['emptied rows', `,,\n${header}\n,,,\n${good}\n , ,"","="""""\n,,,,,,\n,\n\u00a0,\u200b\n"=""""",'\n`],
    ['empty columns after the last one', `${header},"", \n${good},,\n`],
    [
      'unseen characters',
      `title,\u00a0author,price\u00a0,\u200eimage\n\u202aT\u202c,\u200eA,\u200e1\u200b,${image}\u00a0\n`,
    ],
    ['formulas of texts', `${header}\n"=""T""","=""A""","=""1""","=""${image}"""\n`],
    ['every cell in quotes', `"title","author","price","image"\n"T","A","1","${image}"\n`],
    ['a decimal comma in quotes', csv(header, `T,A,"1,00",${image}`)],
    ['semicolons, and a decimal point', `title;author;price;image\nT;A;1.00;${image}\n`],
    ['tabs, and a comma in a cell', `title\tauthor\tprice\timage\nT\tA\t1,00\t${image}\n`],
    [
      'a line that names what is between the cells',
      `\ufeffSEP=;\r\ntitle;author;price;image\r\nT;A;1,00;${image}`,
    ],
  ])('may have %s', async (_, file) => {
    expect(await load(file)).toMatchObject({ ...counts(1, 0, 0), ...noErrors });
    expect(await storedBooks()).toMatchObject([{ title: 'T', author: 'A', priceCents: 100, image }]);
  });

  test('with mistakes names line, column and reason of each, and its other rows are imported', async () => {
    await load(csv(`${header},id`, `Stored,A,1,${image},stored`));
    const several = 'These are several numbers';
    const wrong: [line: number, row: string, column: string | null, reason: string][] = [
      [2, `T1,A,1.999,${image},,`, 'price', 'Write an amount with at most two decimals, such as 12.99.'],
      [3, `"T2\ntwo lines",A,1,${image},,`, 'title', 'Must be text without control characters.'],
      [5, 'T3,A,1,ftp://x/a.jpg,,', 'image', 'Must be an https: address or an image uploaded to the store.'],
      [6, 'T4,A,1', null, 'Has 3 cells, and the first line has 6.'],
      [7, `T5,A,12,50,${image},,`, null, 'A cell with a comma in it needs quotes around it.'],
      [8, `T6,A,1,${image},no such/id,`, 'id', 'Is not an id. Leave it empty for a new book.'],
      [9, `${'x'.repeat(501)},A,1,${image},,`, 'title', 'Must not be longer than 500 characters.'],
      [10, ',A,"1,555",,,', 'title', 'Must not be empty. Also price: Write an amount'],
      [11, `T8,A,1,"${image}, ${image}",,`, 'image', 'These are several addresses: a book has one image.'],
      [12, `T9,A,1,${image},,9780306406157; 9780141439587`, 'isbn', several],
      // The file is in Windows-1252: its letters are never stored as other letters.
      [
        13,
        `Caf\u00e9,A,1,${image},,`,
        'title',
        'Is not UTF-8, perhaps Windows-1252. Save the file as “CSV UTF-8”.',
      ],
    ];
    const file = csv(`${header},id,isbn`, ...wrong.map(([, row]) => row), `Good,A,1,${image},,`);

    const result = await load(Buffer.from(file, 'latin1'));

    expect(result).toMatchObject({ ...counts(1, 0, 0), errorCount: wrong.length });
    expect(result.errors).toEqual(
      wrong.map(([line, , column, reason]) => ({ line, column, reason: expect.stringContaining(reason) })),
    );
    expect((await storedBooks()).map(({ title }) => title)).toEqual(['Stored', 'Good']);
    const copies = csv(`${header},copies`, `T,A,1,${image},ten`);
    expect((await load(copies)).errors).toMatchObject([{ line: 2, column: 'copies' }]);
    const semicolons = csv('title;author;price;image', `T;A;1.234,50;${image}`);
    expect((await load(semicolons)).errors).toMatchObject([
      { line: 2, reason: expect.stringContaining('Write an amount') },
    ]);
  });

  test.each<[string, string | Buffer, number, string | null]>([
    ['This is an Excel workbook. Save it as “CSV UTF-8”.', 'PK\x03\x04rest', 1, null],
    ['This is an Excel workbook.', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), 1, null],
    ['The file is in UTF-16. Save it as “CSV UTF-8”.', Buffer.from(`\ufeff${header}\n`, 'utf16le'), 1, null],
    ['The file is in UTF-16.', Buffer.from(`${header}\n`, 'utf16le'), 1, null],
    ['The file is empty.', '', 1, null],
    ['The first line must name the columns title, author', 'title|author|price|image\n', 1, 'title'],
    ['tabs between them. image is missing.', 'title,author,price\n', 1, 'image'],
    ['tabs between them. title, image are missing.', 'titel,author,price\n', 1, 'title'],
    ['"binding" is no column: those are id, title', `${header},binding\n`, 1, null],
    ['The first line names this column twice.', `${header},Title\n`, 1, 'title'],
    ['A quote is opened and not closed.', `${header}\n${good}\n"open,A,1,x\nmore`, 3, null],
    ['A quote is in the middle of a cell.', `${header}\n${good}\nT"2,A,1,${image}\n`, 3, null],
    ['Text follows a closing quote.', `${header}\n${good}\n"T" 2,A,1,${image}\n`, 3, null],
    ['The row is longer than a book can be.', `${header}\n${good}\n"${'x\n'.repeat(40_000)}`, 3, null],
  ])('that cannot be read says where: %s', async (reason, file, line, column) => {
    const { errors, added } = await load(file);

    expect(errors).toEqual([{ line, column, reason: expect.stringContaining(reason) }]);
    // The rows before the error are imported.
    expect(added).toBe(line > 1 ? 1 : 0);
  });

  test('with 10,000 mistakes has their number, a list of the first thousand, and is not read any further', async () => {
    const { added, errors } = await load(`${csv(header, good)}${'x\n'.repeat(15_000)}`);

    expect([added, errors.length]).toEqual([1, 1_000]);
    expect(errors.at(-1)?.reason).toMatch(/^The file has 10,000 mistakes.*not read any further\.$/);
  });
});

describe('a row', () => {
  test('without the column keeps the keywords, and with an empty cell removes them', async () => {
    await load(csv(`${header},keywords`, `Emma,Jane Austen,1,${image},regency`));

    await load(csv(header, `Emma,Jane Austen,2,${image}`));
    expect(await storedBooks()).toMatchObject([{ keywords: 'regency', priceCents: 200 }]);
    await load(csv(`${header},keywords`, `Emma,Jane Austen,2,${image},`));
    expect(await storedBooks()).toMatchObject([{ keywords: null }]);
    expect(await find('regency')).toEqual([]);
  });

  test('reads the series in a title where no column says which it is, into a book that has none', async () => {
    const row = `"Mort (Discworld, #4)",Terry Pratchett,1,${image}`;
    const series = async () =>
      (await database.db.selectFrom('books').select(['title', 'series', 'series_number']).execute()).map(
        ({ title, series, series_number }) => [title, series, series_number],
      );
    await load(csv(`${header},SeriesNumber,series`, `${row},,`));
    expect(await series()).toEqual([['Mort (Discworld, #4)', null, null]]);

    const { changes } = await load(csv(header, row), { isDryRun: true });

    expect(changes.map(({ fields }) => fields)).toEqual([
      [
        { name: 'series', from: null, to: 'Discworld' },
        { name: 'seriesNumber', from: null, to: '4' },
      ],
    ]);
    expect(await load(csv(header, row))).toMatchObject(counts(0, 1, 0));
    expect(await series()).toEqual([['Mort (Discworld, #4)', 'Discworld', '4']]);
    expect(await load(csv(`${header},series`, `${row},Death`))).toMatchObject(counts(0, 1, 0));
    expect(await load(csv(header, row))).toMatchObject(counts(0, 0, 1));
    expect(await series()).toEqual([['Mort (Discworld, #4)', 'Death', '4']]);
  });

  test('recognises a book by its ISBN, which the one book for sale of it keeps, and by its title before that', async () => {
    const withIsbn = `${header},isbn`;
    const isbn = '978-0-14-143958-7';
    await load(csv(`${withIsbn},id`, `Emma,Jane Austen,1,${image},0-14-143958-0,b1`));

    const byIsbn = await load(csv(withIsbn, `Emma (Penguin),Austen,2,${image},${isbn}`));

    expect(byIsbn).toMatchObject({ ...counts(0, 1, 0), ...noErrors });
    expect(await storedBooks()).toMatchObject([{ id: 'b1', title: 'Emma (Penguin)', priceCents: 200 }]);
    // A row above has the ISBN of a book whose title another row has.
    const rows = [`Emma (new),Austen,12.99,${image},${isbn}`, `Emma (Penguin),Austen,2,${image},${isbn}`];
    expect(await load(csv(withIsbn, ...rows))).toMatchObject({ ...counts(1, 0, 1), ...noErrors });
    for (const { id } of await storedBooks()) await deleteBook(database.db, id, commandActor);
    const added = await load(csv(withIsbn, `Emma,Jane Austen,3,${image},${isbn}`));
    expect(added).toMatchObject(counts(1, 0, 0));
  });

  test('takes the title and the author where two books have the ISBN, in the store or in the file', async () => {
    const twin = (title: string, price: number) => `${title},Jane Austen,${price},${image},9780141439587`;
    // There are more rows than one batch: later in the file, the first copy is in the store already.
    const others = Array.from({ length: 250 }, (_, index) => `T${index},A,1,${image},`);
    const file = csv(`${header},isbn`, twin('Emma', 9), ...others, twin('Emma (worn)', 2));

    expect(await load(file)).toMatchObject({ ...counts(252, 0, 0), ...noErrors });
    expect(await load(file)).toMatchObject({ ...counts(0, 0, 252), ...noErrors });
    expect(await load(csv(`${header},isbn`, twin('Emma (worn)', 1)))).toMatchObject(counts(0, 1, 0));
    expect((await storedBooks()).filter(({ author }) => author !== 'A')).toMatchObject([
      { title: 'Emma', priceCents: 900 },
      { title: 'Emma (worn)', priceCents: 100 },
    ]);
  });

  test.each([
    ['the same title and author', ['T,A,1,,', 'T,B,1,,', 'T,A,2,,'], [4, 'title', 2]],
    ['the same id', ['T,A,1,,b1', 'U,A,1,,b1'], [3, 'id', 2]],
    ['an id, and its title and author', ['T,A,1,,b1', 'T,A,2,,'], [3, 'title', 2]],
    ['title and author, and an id', ['T,A,1,,', 'T,A,2,,b1'], [3, 'id', 2]],
    ['an id, and the title that its book still has', ['New,A,1,,stored', 'Stored,A,2,,'], [3, 'title', 2]],
  ])('of the same book as an earlier one, by %s, is a mistake', async (_, rows, [line, column, first]) => {
    await load(csv(`${header},id`, `Stored,A,1,${image},stored`));

    const { errors } = await load(csv(`${header},id`, ...rows.map((row) => row.replace(',,', `,${image},`))));

    expect(errors).toEqual([{ line, column, reason: `Line ${first} has the same book.` }]);
  });

  test('may name an image of the store, which is then kept, and one that it lacks is counted', async () => {
    const id = 'ab'.repeat(16);
    await storeImage(database.db, {
      id,
      width: 1,
      height: 1,
      renditions: [{ width: 240, bytes: new Uint8Array([1]) }],
    });
    await database.db.updateTable('images').set({ created_at: 0 }).execute();
    const missing = imageAddress('cd'.repeat(16));
    const file = csv(header, `T,A,1,${imageAddress(id)}`, `U,A,1,${storeOrigin}${missing}`);

    expect(await load(file, { isDryRun: true })).toMatchObject({ added: 2, missingImages: 1 });
    expect(await load(file)).toMatchObject({ added: 2, missingImages: 1 });

    const images = await database.db.selectFrom('images').select('created_at').execute();
    expect(images.map(({ created_at }) => Number(created_at) > 0)).toEqual([true]);
    expect(await storedBooks()).toMatchObject([{ image: imageAddress(id) }, { image: missing }]);
    expect(await load(file)).toMatchObject({ ...counts(0, 0, 2), missingImages: 0 });
  });

  test('may have an image from elsewhere than IMAGE_ORIGINS only if its book has it already', async () => {
    const images = keepFrom('https://images.example');
    const reason = expect.stringContaining('https://images.example');

    const refused = await load(csv(header, good), { images });
    expect(refused).toMatchObject({ errors: [{ line: 2, column: 'image', reason }] });
    await load(csv(header, good));
    const changed = await load(csv(header, `T,A,0.50,${image}`), { images });
    expect(changed).toMatchObject({ ...counts(0, 1, 0), ...noErrors });
  });
});

test('a dry run counts what an import does, shows what would change, and is not in the trail, which has an import with its counts', async () => {
  const gone = `Gone,A,1,${image},`;
  await load(csv(`${header},keywords`, gone, `Other,A,1,${image},k`));
  const [{ id } = { id: '' }] = await storedBooks();
  await deleteBook(database.db, id, commandActor);
  const file = csv(`${header},keywords`, `Other,A,2,${image},`, `,A,1,${image},`, gone);

  const { changes, ...dry } = await load(file, { isDryRun: true });

  const keywords = { name: 'keywords', from: 'k', to: null };
  const price = { name: 'price', from: '1.00', to: '2.00' };
  expect(changes).toEqual([
    { line: 2, id: expect.any(String), title: 'Other', isRestored: false, fields: [keywords, price] },
    { line: 4, id, title: 'Gone', isRestored: true, fields: [] },
  ]);
  expect((await trail())[0]).toMatchObject({ action: 'book-deleted' });
  expect(await load(file)).toEqual({ ...dry, changes: [] });
  const details = { ...counts(0, 2, 0), restored: 1, errors: 1, state: 'finished', line: 4 };
  const entries = await trail();
  expect(entries[0]).toMatchObject({ action: 'books-imported', address: 'command', details });
  // The same file again changes nothing.
  await load(file);
  expect(await trail()).toEqual(entries);
});

test('an import that is ended keeps what it has written', async () => {
  const controller = new AbortController();
  let line = 0;
  const ended = load(csv(header, ...Array.from({ length: 2_000 }, (_, index) => `T${index},A,1,${image}`)), {
    signal: controller.signal,
    onProgress: (done) => {
      line = done.line;
      controller.abort(new Error('ended'));
    },
  });
  await expect(ended).rejects.toThrow('ended');

  const stored = (await storedBooks()).length;
  expect([stored > 0, stored < 2_000, line]).toEqual([true, true, stored + 1]);
  expect(await trail()).toMatchObject([{ details: { added: stored, state: 'stopped', line } }]);
});

test('a file of empty lines holds up nothing else, and ends when it is told to', async () => {
  const controller = new AbortController();
  async function* emptyLines() {
    yield Buffer.from(`${header}\n`);
    for (let chunk = 0; chunk < 100; chunk += 1) yield Buffer.from('\n'.repeat(100));
  }
  const ended = importBooks(database.db, emptyLines(), {
    actor: commandActor,
    isDryRun: true,
    images: { keep: (address) => address },
    signal: controller.signal,
  });
  setImmediate(() => controller.abort(new Error('ended')));

  await expect(ended).rejects.toThrow('ended');
});

test('an export imported into an empty store and exported again gives the same bytes', async () => {
  const texts = [
    ['=1+1', "'=already"],
    ['+49', '-1'],
    ['@home', "''quoted"],
    ["'tis", "'"],
    ['say "hi", he said', 'a;b'],
    ['Łódź 紅樓夢 🎩', '＝wide'],
    ["x;=1+1;'=1;''=1; @x;", 'x; "＋1'],
  ] as const;
  const book = { author: 'A', image, priceCents: 1 };
  const isbn = '9780141439587';
  for (const [title, author] of texts)
    await addBook(database.db, { ...book, title, author, keywords: title }, null);
  const description = 'A "clean" copy.\n\nSigned.';
  const facts = { pages: 512, language: 'en-GB', published: '1815-12-23', publisher: 'John Murray' };
  const series = { format: 'Three volumes', series: '=Works', seriesNumber: '1-3' };
  await addBook(
    database.db,
    { ...book, title: 'Emma', isbn, description, copies: 1, ...facts, ...series },
    null,
  );
  for (const id of ['ab', 'cd']) {
    await addBook(database.db, { ...book, title: 'Twin', image: imageAddress(id.repeat(16)) }, null);
  }
  const gone = await addBook(database.db, { ...book, title: 'Gone' }, null);
  await deleteBook(database.db, gone.id, commandActor);
  // The list is longer than a page of an export.
  await load(csv(header, ...Array.from({ length: 1_201 }, (_, index) => `T${index},A,1,${image}`)));
  const before = await storedBooks();
  const first = await exported();

  await database.db.deleteFrom('books').execute();
  expect(await load(first)).toMatchObject({ ...counts(1_211, 0, 0), ...noErrors });

  expect(await storedBooks()).toEqual(before);
  expect(await exported()).toBe(first);
  expect(await load(first)).toMatchObject(counts(0, 0, 1_211));
  // The store's columns come first, and no cell contains a formula.
  const lines = first.split('\r\n');
  expect(lines[0]).toBe(csvColumns.join());
  expect(lines[1]).toMatch(/^[^,]+,'=1\+1,''=already,0\.01,https:/);
  for (const line of lines.slice(1)) expect(line).not.toMatch(/(^|[,;])[" ]*[=+\-@\t＝＋－＠]/);
  expect(first).toContain(',1,978-0-14-143958-7,');
  expect(first).toContain(
    `,"A ""clean"" copy.\n\nSigned.",${Object.values(facts).join()},Three volumes,'=Works,1-3\r\n`,
  );
});

test('the process of an import is killed in the middle, and the next one has every row once', {
  timeout: 60_000,
}, async () => {
  const command = join(import.meta.dirname, '..', '..', 'commands', 'run.ts');
  const path = join(await makeFolder(), 'books.csv');
  const rows = Array.from({ length: 3_000 }, (_, index) => `Title ${index},Author ${index % 50},1,${image}`);
  const file = csv(header, ...rows);
  await writeFile(path, file);
  const child = spawn(process.execPath, [command, 'books', 'import', path], {
    env: { ...process.env, DATABASE_URL: database.url },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const stored100 = async () => (await storedBooks()).length > 100;
  await expect.poll(stored100, { interval: 20, timeout: 30_000 }).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const stored = (await storedBooks()).length;
  const details = { added: stored, changed: 0, line: stored + 1 };
  expect(await trail()).toMatchObject([{ details: { ...details, state: 'running' } }]);
  const { entries } = await listActivity(database.db, { limit: 1 }, Date.now() + 16 * 60_000);
  expect(entries).toMatchObject([{ details: { ...details, state: 'stopped' } }]);

  const result = await load(file);

  expect(stored).toBeLessThan(3_000);
  expect(result).toMatchObject({ ...counts(3_000 - stored, 0, stored), ...noErrors });
  expect((await storedBooks()).map(({ title }) => title)).toEqual(rows.map((_, index) => `Title ${index}`));
  expect(await wordCounts()).toEqual({ title: 3_000, author: 3_000 });
});
