import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { csvColumns } from '../../contract/book-fields.ts';
import { imageAddress } from '../../contract/image-address.ts';
import { commandActor, listActivity } from '../activity/activity.ts';
import { addBook } from '../catalogue/books.ts';
import { deleteBook } from '../catalogue/delete-book.ts';
import { exportBooks } from '../catalogue/export-books.ts';
import { storeImage } from '../images/images.ts';
import { findBooks } from '../search/search.ts';
import { countTurns, stopClock } from '../testing/count-turns.ts';
import { isOnPostgres, setUpSharedDatabase } from '../testing/test-database.ts';
import { type ImportOptions, importBooks } from './import-books.ts';
import { keepAddresses } from './row-images.ts';

const database = setUpSharedDatabase();

const image = 'https://covers.example/a.jpg';
const readImage = keepAddresses({ storeOrigin: 'https://shop.example', imageOrigins: ['https:'] });

/** @param file text or bytes, in one or more chunks. */
const load = (file: string | readonly Buffer[], options: Partial<ImportOptions> = {}, db = database.db) =>
  importBooks(db, Readable.from(typeof file === 'string' ? [Buffer.from(file)] : file), {
    actor: commandActor,
    isDryRun: false,
    readImage,
    ...options,
  });

/** @returns a file with these rows; each cell is written as it is. */
const csv = (header: string, ...rows: readonly string[]) => `${[header, ...rows].join('\n')}\n`;
const header = 'title,author,price,image';
const good = `T,A,1,${image}`;

const exported = async (db = database.db) =>
  (await Array.fromAsync(await exportBooks({ db, readDb: db }, commandActor))).join('');
const trail = async () => (await listActivity(database.db, { limit: 10 })).entries;
const counts = (added: number, changed: number, unchanged: number) => ({ added, changed, unchanged });
const noErrors = { errors: [], errorCount: 0 };
const nothingElse = {
  ...noErrors,
  restored: 0,
  changes: [],
  lookalikes: [],
  lookalikeCount: 0,
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

/** A file's meaning does not depend on the engine. */
const aFile = () => {
  test('adds its rows in their order, and the searches find them', async () => {
    const result = await load(
      csv(
        `${header},keywords`,
        `"Emma, or ""Miss Woodhouse""",Jane Austen,12.99,${image},regency hartfield`,
        `  Persuasion ,Jane Austen,5,${image},`,
      ),
    );

    expect(result).toEqual({ ...counts(2, 0, 0), ...nothingElse });
    expect(await storedBooks()).toMatchObject([
      {
        title: 'Emma, or "Miss Woodhouse"',
        priceCents: 1299,
        image,
        keywords: 'regency hartfield',
        version: 1,
      },
      { title: 'Persuasion', priceCents: 500, keywords: null },
    ]);
    expect([await find('hartfield'), await find('austen emma')]).toEqual(
      Array(2).fill(['Emma, or "Miss Woodhouse"']),
    );
    expect(await wordCounts()).toMatchObject({ austen: 2, jane: 2, hartfield: 1, persuasion: 1 });
  });

  test.each([
    ['headers in any order and case', `Price,IMAGE, Author ,title\n1,${image},A,T\n`],
    ['a byte order mark', `\ufeff${header}\nT,A,1,${image}\n`],
    ['Windows line ends and no last one', `${header}\r\nT,A,1,${image}`],
    ['old Mac line ends', `${header}\rT,A,1,${image}\r`],
    ['empty lines', `\n${header}\n\nT,A,1,${image}\n\n`],
    ['emptied rows', `${header}\n,,,\nT,A,1,${image}\n , ,"","="""""\n,,,,,,\n,\n\u00a0,\u200b\n"=""""",'\n`],
    ['emptied rows before the header', `,,\n,,,,,,\n${header}\nT,A,1,${image}\n`],
    ['a header with unseen characters', `title,\u00a0author,price\u00a0,\u200eimage\nT,A,1,${image}\n`],
    [
      'unseen characters around each cell',
      `${header}\n\u202aT\u202c,\u200eA,\u200e1\u200b,\ufeff${image}\u00a0\n`,
    ],
    ['formulas of texts', `${header}\n"=""T""","=""A""","=""1""","=""${image}"""\n`],
    ['every cell in quotes', `"title","author","price","image"\n"T","A","1","${image}"\n`],
  ])('may have %s', async (_, file) => {
    expect(await load(file)).toMatchObject({ ...counts(1, 0, 0), ...noErrors });
    expect(await storedBooks()).toMatchObject([{ title: 'T', author: 'A', priceCents: 100, image }]);
  });

  test('may have millions of empty lines and short rows, which take no longer than others', async () => {
    const chunk = Buffer.from('\n'.repeat(60_000) + 'short\n'.repeat(2_000));
    const chunks = [Buffer.from(`${header}\n`), ...Array.from({ length: 30 }, () => chunk)];

    const { added, errorCount } = await load([...chunks, Buffer.from(`T,A,1,${image}\n`)]);

    expect({ added, errorCount }).toEqual({ added: 1, errorCount: 60_000 });
  });

  test('is compared with books of the same title and author, not with all of the title', async () => {
    const books = Array.from({ length: 300 }, (_, index) => `T,A${index},1,${image}`);
    await load(csv(header, ...books));
    let most = 0;
    const db = database.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        most = Math.max(most, result.rows.length);
        return result;
      },
    });

    const rows = books.slice(0, 30).map((row) => row.toLowerCase());
    const { lookalikeCount } = await load(csv(header, ...rows), {}, db);

    expect(lookalikeCount).toBe(30);
    expect(most).toBe(30);
  });

  test('with mistakes names line, column and reason of each, and its other rows are imported', async () => {
    const file = [
      `${header},id`,
      `,A,1,${image},`,
      `T1,A,1.999,${image},`,
      `"T2\ntwo lines",A,1,${image},`,
      `T3,A,1,ftp://x/a.jpg,`,
      `T4,A,1,,`,
      `T5,A,1`,
      '',
      `Good,A,1,${image},`,
      `T6,A,1,${image},no such/id`,
      `${'x'.repeat(501)},A,1,${image},`,
      `T7,,1,${image},`,
    ].join('\n');

    const result = await load(file);

    expect(result).toMatchObject(counts(1, 0, 0));
    expect(result.errors.map(({ line, column }) => [line, column])).toEqual([
      [2, 'title'],
      [3, 'price'],
      [4, 'title'],
      [6, 'image'],
      [7, 'image'],
      [8, null],
      [11, 'id'],
      [12, 'title'],
      [13, 'author'],
    ]);
    expect(result.errors.map(({ reason }) => reason)).toMatchObject([
      'Must not be empty.',
      'Write an amount with at most two decimals, such as 12.99.',
      'Must be text without control characters.',
      'Must be an https: address or an image uploaded to the store.',
      'Must not be empty.',
      'Has 3 cells, and the first line has 5.',
      'Is not an id. Leave it empty for a new book.',
      'Must not be longer than 500 characters.',
      'Must not be empty.',
    ]);
    expect((await storedBooks()).map(({ title }) => title)).toEqual(['Good']);
  });

  test('names all mistakes of a row at once, and counts the row once', async () => {
    expect(await load(csv(header, `,A,"1,5",`))).toMatchObject({
      errorCount: 1,
      errors: [
        {
          line: 2,
          column: 'title',
          reason:
            'Must not be empty. Also price: Write 1.5: only digits and a decimal point, without currency or thousands separators. Also image: Must not be empty.',
        },
      ],
    });
  });

  test('in another encoding is refused where it matters, and never stored as other letters', async () => {
    const latin1 = Buffer.from(csv(header, `Caf\u00e9,A,1,${image}`, `Tea,A,1,${image}`), 'latin1');

    expect(await load([latin1])).toMatchObject({
      ...counts(1, 0, 0),
      errors: [
        {
          line: 2,
          column: 'title',
          reason: 'Is not UTF-8, perhaps Windows-1252. Save the file as “CSV UTF-8”.',
        },
      ],
    });
  });

  test.each([
    [';', '12,50', '"Emma; a novel"'],
    [';', '12.50', 'Emma'],
    ['\t', '12,50', 'Emma, a novel'],
    [',', '12.50', '"Emma, or; Hartfield"'],
  ])('may have %j between its cells, and then %s as a price', async (delimiter, price, title) => {
    const file = csv(
      ['title', 'author', 'price', 'image'].join(delimiter),
      [title, 'Jane Austen', price, image].join(delimiter),
    );

    expect(await load(file)).toMatchObject({ ...counts(1, 0, 0), ...noErrors });
    expect(await storedBooks()).toMatchObject([{ title: title.replaceAll('"', ''), priceCents: 1250 }]);
  });

  test('says how to write a price that it does not take, and that a cell with the delimiter needs quotes', async () => {
    const semicolons = csv('title;author;price;image', `T;A;1.234,50;${image}`, `T;A;B;1;${image}`);
    const commas = csv(header, `T,A,"12,50",${image}`, `T,A,B,1,${image}`);

    const reasons = [...(await load(semicolons)).errors, ...(await load(commas)).errors].map(
      ({ line, column, reason }) => [line, column, reason],
    );

    const how = 'only digits and a decimal point, without currency or thousands separators.';
    expect(reasons).toEqual([
      [2, 'price', `Write 1234.50: ${how}`],
      [3, null, expect.stringContaining('A cell with a semicolon in it needs quotes around it.')],
      [2, 'price', `Write 12.50: ${how}`],
      [3, null, expect.stringContaining('A cell with a comma in it needs quotes around it.')],
    ]);
  });

  test.each([
    ['an Excel workbook', Buffer.from('PK\x03\x04rest'), 'This is an Excel workbook.'],
    ['an older workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), 'This is an Excel workbook.'],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${header}\n`, 'utf16le'), 'The file is in UTF-16.'],
    ['UTF-16 without one', Buffer.from(`${header}\n`, 'utf16le'), 'The file is in UTF-16.'],
  ])('that is %s is refused with what to do', async (_, bytes, reason) => {
    expect((await load([bytes])).errors).toEqual([
      { line: 1, column: null, reason: `${reason} Save it as “CSV UTF-8”.` },
    ]);
  });

  test.each<[string, string, number, string | null]>([
    ['The file is empty.', '', 1, null],
    ['The first line must name the columns title, author', 'title|author|price|image\n', 1, 'title'],
    ['tabs between them. image is missing.', 'title,author,price\n', 1, 'image'],
    ['tabs between them. title, image are missing.', 'titel,author,price\n', 1, 'title'],
    ['"pages" is no column: those are id, title', `${header},pages\n`, 1, null],
    ['The first line names this column twice.', `${header},Title\n`, 1, 'title'],
    ['A quote is opened and not closed.', `${header}\n${good}\n"open,A,1,x\nmore`, 3, null],
    ['A quote is in the middle of a cell.', `${header}\n${good}\nT"2,A,1,${image}\n`, 3, null],
    ['Text follows a closing quote.', `${header}\n${good}\n"T" 2,A,1,${image}\n`, 3, null],
    ['The row is longer than a book can be.', `${header}\n${good}\n"${'x\n'.repeat(40_000)}`, 3, null],
  ])('that cannot be read says where: %s', async (reason, file, line, column) => {
    const { errors, added } = await load(file);

    expect(errors).toEqual([{ line, column, reason: expect.stringContaining(reason) }]);
    // The rows before it are imported.
    expect(added).toBe(line > 1 ? 1 : 0);
  });

  test('with very many mistakes counts all of them, and lists a thousand', async () => {
    const result = await load(csv(header, ...Array.from({ length: 1_500 }, () => `,A,1,${image}`)));

    expect([result.errors.length, result.errorCount]).toEqual([1_000, 1_500]);
  });

  test.each([
    [
      '100,000 of them',
      `${header}\n${good}\n${'x\n'.repeat(150_000)}`,
      100_001,
      'The file has 100,000 mistakes',
    ],
    ['a quote', `${header}\n${good}\n${'x\n'.repeat(1_500)}x"\n`, 1_501, 'A quote is in the middle'],
  ])(
    'with very many mistakes says that it was not read to its end, after %s',
    async (_, file, count, reason) => {
      const { added, errors, errorCount } = await load(file);

      expect({ added, errorCount, listed: errors.length }).toEqual({
        added: 1,
        errorCount: count,
        listed: 1_000,
      });
      expect(errors.at(-1)?.reason).toMatch(new RegExp(`^${reason}.*not read any further\\.$`));
    },
  );
};
if (!isOnPostgres()) describe('a file', aFile);

describe('a row', () => {
  test('that says what is there changes nothing, and another price changes the book', async () => {
    const rows = (price: string) =>
      csv(`${header},keywords`, `Emma,Jane Austen,${price},${image},k`, `T,A,1,${image},`);
    await load(rows('12.99'));
    const [before] = await storedBooks();

    expect(await load(rows('12.990').replace('12.990', '12.99'))).toMatchObject(counts(0, 0, 2));
    expect(await load(rows('9.50'))).toMatchObject(counts(0, 1, 1));

    const [after] = await storedBooks();
    expect(after).toEqual({ ...before, priceCents: 950, version: 2 });
    expect(await wordCounts()).toMatchObject({ austen: 1, jane: 1 });
  });

  test('with an id changes the book of that id, also its title, and the searches follow', async () => {
    await load(csv(`${header},id`, `Emma,Jane Austen,1,${image},b1`));

    expect(await load(csv(`${header},id`, `Zuleika,Max Beerbohm,1,${image},b1`))).toMatchObject(
      counts(0, 1, 0),
    );

    expect(await storedBooks()).toMatchObject([{ id: 'b1', title: 'Zuleika', version: 2 }]);
    expect([await find('emma'), await find('zuleika')]).toEqual([[], ['Zuleika']]);
    expect(await wordCounts()).toEqual({ zuleika: 1, beerbohm: 1 });
  });

  test('without the column keeps the keywords, and with an empty cell removes them', async () => {
    await load(csv(`${header},keywords`, `Emma,Jane Austen,1,${image},regency`));

    await load(csv(header, `Emma,Jane Austen,2,${image}`));
    expect(await storedBooks()).toMatchObject([{ keywords: 'regency', priceCents: 200 }]);
    expect(await find('regency')).toEqual(['Emma']);

    await load(csv(`${header},keywords`, `Emma,Jane Austen,2,${image},`));
    expect(await storedBooks()).toMatchObject([{ keywords: null }]);
    expect(await find('regency')).toEqual([]);
  });

  test('recognises a book by its ISBN, which the one book for sale of it keeps', async () => {
    const withIsbn = `title,author,price,image,isbn`;
    await load(csv(`${withIsbn},id`, `Emma,Jane Austen,1,${image},0-14-143958-0,b1`));

    const result = await load(csv(withIsbn, `Emma (Penguin),Austen,2,${image},978-0-14-143958-7`));

    expect(result).toMatchObject({ ...counts(0, 1, 0), ...noErrors });
    expect(await storedBooks()).toMatchObject([{ id: 'b1', title: 'Emma (Penguin)', priceCents: 200 }]);
    expect(await find('0-14-143958-0')).toEqual(['Emma (Penguin)']);
    await deleteBook(database.db, 'b1', commandActor);
    expect(await load(csv(withIsbn, `Emma,Jane Austen,3,${image},9780141439587`))).toMatchObject(
      counts(1, 0, 0),
    );
  });

  test('takes the title and the author where two books have the ISBN, in the store or in the file', async () => {
    const copies = [
      `Emma,Jane Austen,9,${image},9780141439587`,
      `Emma (worn),Jane Austen,2,${image},9780141439587`,
    ];
    const others = Array.from({ length: 250 }, (_, index) => `T${index},A,1,${image},`);
    const file = csv(`${header},isbn`, copies[0] ?? '', ...others, copies[1] ?? '');

    // Later in the file the first copy is in the store already.
    expect(await load(file)).toMatchObject({ ...counts(252, 0, 0), ...noErrors });
    expect(await load(file)).toMatchObject({ ...counts(0, 0, 252), ...noErrors });
    expect(await load(csv(`${header},isbn`, `Emma (worn),Jane Austen,1,${image},0141439580`))).toMatchObject(
      counts(0, 1, 0),
    );
    const books = await storedBooks();
    expect(books.filter(({ author }) => author !== 'A')).toMatchObject([
      { title: 'Emma', priceCents: 900 },
      { title: 'Emma (worn)', priceCents: 100 },
    ]);
  });

  test('leaves a book to the row with its title, where another row above has its ISBN', async () => {
    const worn = `Emma (worn),Jane Austen,3,${image},9780141439587`;
    await load(csv(`${header},isbn`, worn));

    const result = await load(
      csv(`${header},isbn`, `Emma (new),Jane Austen,12.99,${image},9780141439587`, worn),
    );

    expect(result).toMatchObject({ ...counts(1, 0, 1), ...noErrors });
    expect((await storedBooks()).map(({ title, priceCents }) => [title, priceCents])).toEqual(
      expect.arrayContaining([
        ['Emma (worn)', 300],
        ['Emma (new)', 1299],
      ]),
    );
  });

  test('has descriptions with paragraphs, and an ISBN with hyphens, which a spreadsheet leaves alone', async () => {
    await load(
      csv(
        `${header},isbn,description`,
        `Emma,Jane Austen,1,${image},0141439580,"A ""clean"" copy.\n\nSigned."`,
      ),
    );

    const file = await exported();

    expect(file).toContain(',978-0-14-143958-7,"A ""clean"" copy.\n\nSigned."');
    expect(await load(file)).toMatchObject(counts(0, 0, 1));
  });

  test.each([
    ['978-0-14-143958-8', 'Write the 10 or 13 digits of the ISBN'],
    ['9.78014E+12', 'A spreadsheet has shortened it'],
    ['9,78014E+12', 'A spreadsheet has shortened it'],
    ['306406152', 'A 0 is missing in front'],
    ['9780306406157; 9780141439587', 'These are several numbers'],
  ])('refuses the ISBN %s', async (isbn, reason) => {
    const { errors } = await load(csv(`${header},isbn`, `Emma,Jane Austen,1,${image},"${isbn}"`));

    expect(errors).toEqual([{ line: 2, column: 'isbn', reason: expect.stringContaining(reason) }]);
  });

  test('takes digits and addresses as spreadsheets and web pages wrap them, and names two values in a cell', async () => {
    const result = await load(
      csv(
        `${header},isbn,copies`,
        `Emma,Jane Austen,"=""12.99""",${image},"=""9780306406157""",1.0`,
        `Persuasion,Jane Austen,1,${image},"=""""",`,
        `Two,N,1,"${image}, ${image}",,`,
        `Prices,N,12.99 / 9.99,${image},,`,
      ),
    );

    expect(result).toMatchObject({
      ...counts(2, 0, 0),
      errors: [
        { line: 4, column: 'image', reason: 'These are several addresses: a book has one image.' },
        { line: 5, column: 'price', reason: 'These are several prices: write one.' },
      ],
    });
    expect(await exported()).toContain(`Emma,Jane Austen,12.99,${image},,1,978-0-306-40615-7,`);
    expect(await load(await exported())).toMatchObject(counts(0, 0, 2));
  });

  test.each(['', 'b1'])('with the id "%s" restores its deleted book', async (id) => {
    await load(csv(`${header},id`, `Emma,Jane Austen,1,${image},b1`));
    await deleteBook(database.db, 'b1', commandActor);

    const row = csv(`${header},id`, `Emma,Jane Austen,1,${image},${id}`);
    expect(await load(row, { isDryRun: true })).toMatchObject({
      ...counts(0, 1, 0),
      restored: 1,
      changes: [{ id: 'b1', title: 'Emma', isRestored: true, fields: [] }],
    });
    expect(await load(row)).toMatchObject({ ...counts(0, 1, 0), restored: 1 });

    expect(await storedBooks()).toMatchObject([{ id: 'b1', title: 'Emma' }]);
    expect(await find('emma')).toEqual(['Emma']);
    expect(await wordCounts()).toEqual({ emma: 1, austen: 1, jane: 1 });
  });

  test('without an id means a book for sale before a deleted one, and of several the newest', async () => {
    const details = { title: 'Emma', author: 'Jane Austen', image, priceCents: 100 };
    const [deleted, older, newer] = [
      await addBook(database.db, details, null),
      await addBook(database.db, details, null),
      await addBook(database.db, details, null),
    ];
    await deleteBook(database.db, deleted.id, commandActor);

    expect(await load(csv(header, `Emma,Jane Austen,2,${image}`))).toMatchObject(counts(0, 1, 0));

    const prices = (await storedBooks()).map(({ id, priceCents }) => [id, priceCents]);
    expect(prices).toEqual([
      [older.id, 100],
      [newer.id, 200],
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

  test('with another id may share title and author', async () => {
    const file = csv(`${header},id`, `T,A,1,${image},b1`, `T,A,2,${image},b2`);

    expect(await load(file)).toMatchObject({ ...counts(2, 0, 0), ...noErrors });
    expect(await load(file)).toMatchObject({ ...counts(0, 0, 2), ...noErrors });
  });

  test('may name an image of the store, which is then kept, and one that it lacks is counted', async () => {
    const { id } = await storeImage(database.db, {
      id: 'ab'.repeat(16),
      width: 1,
      height: 1,
      renditions: [{ width: 240, bytes: new Uint8Array([1]) }],
    });
    await database.db.updateTable('images').set({ created_at: 0 }).execute();
    const file = csv(
      header,
      `T,A,1,${imageAddress(id)}`,
      `U,A,1,https://shop.example${imageAddress('cd'.repeat(16))}`,
    );

    expect(await load(file, { isDryRun: true })).toMatchObject({ added: 2, missingImages: 1 });
    expect(await load(file)).toMatchObject({ added: 2, missingImages: 1 });

    const images = await database.db.selectFrom('images').select('created_at').execute();
    expect(images.map(({ created_at }) => Number(created_at) > 0)).toEqual([true]);
    expect((await storedBooks()).map((book) => book.image)).toEqual([
      imageAddress(id),
      imageAddress('cd'.repeat(16)),
    ]);
    expect(await load(file)).toMatchObject({ ...counts(0, 0, 2), missingImages: 0 });
  });

  test('with an image from elsewhere than IMAGE_ORIGINS is a mistake', async () => {
    const strict = keepAddresses({
      storeOrigin: 'https://shop.example',
      imageOrigins: ['https://images.example'],
    });

    expect(await load(csv(header, `T,A,1,${image}`), { readImage: strict })).toMatchObject({
      errors: [{ line: 2, column: 'image', reason: expect.stringContaining('https://images.example') }],
    });
  });

  test('with the image that its book has stays as it is, whatever IMAGE_ORIGINS says now', async () => {
    const strict = keepAddresses({ storeOrigin: 'https://shop.example', imageOrigins: [] });
    await load(csv(header, `T,A,1,${image}`));

    const again = await load(csv(header, `T,A,1,${image}`), { readImage: strict });
    const cheaper = await load(csv(header, `T,A,0.50,${image}`), { readImage: strict });

    expect(again).toMatchObject({ ...counts(0, 0, 1), ...noErrors });
    expect(cheaper).toMatchObject({ ...counts(0, 1, 0), ...noErrors });
  });

  test('that is spelled like a book for sale, but for capital letters and spaces, is counted', async () => {
    await load(csv(`${header},id`, `Emma Woodhouse,Jane Austen,1,${image},b1`, `Gone,A,1,${image},b2`));
    await deleteBook(database.db, 'b2', commandActor);
    const file = csv(
      header,
      `emma  WOODHOUSE,jane austen,1,${image}`,
      `Emma Woodhouse,Jane Austin,1,${image}`,
      `Émma Woodhouse,Jane Austen,1,${image}`,
      `gone,A,1,${image}`,
    );

    const dry = await load(file, { isDryRun: true });
    const result = await load(file);

    for (const { lookalikeCount, lookalikes } of [dry, result]) {
      expect([lookalikeCount, lookalikes]).toEqual([
        1,
        [
          {
            line: 2,
            title: 'emma  WOODHOUSE',
            author: 'jane austen',
            like: { id: 'b1', title: 'Emma Woodhouse', author: 'Jane Austen' },
          },
        ],
      ]);
    }
  });
});

test('a dry run counts what an import does, shows what would change, and does nothing', async () => {
  await load(csv(`${header},keywords`, `Same,A,1,${image},k`, `Other,A,1,${image},k`));
  const before = await exported();
  const file = csv(
    `${header},keywords`,
    `Same,A,1,${image},k`,
    `Other,A,2,${image},`,
    `New,A,1,${image},`,
    `,A,1,${image},`,
  );

  const { changes, ...dry } = await load(file, { isDryRun: true });

  expect(changes).toEqual([
    {
      line: 3,
      id: expect.any(String),
      title: 'Other',
      isRestored: false,
      fields: [
        { name: 'keywords', from: 'k', to: null },
        { name: 'price', from: '1.00', to: '2.00' },
      ],
    },
  ]);
  expect((await trail()).map(({ action }) => action)).toEqual(['books-exported', 'books-imported']);
  expect(await exported()).toBe(before);
  expect(await load(file)).toEqual({ ...dry, changes: [] });
  expect(dry).toMatchObject({ ...counts(1, 1, 1), errorCount: 1 });
});

test('the audit trail has each import once, with its counts', async () => {
  const file = csv(header, `T,A,1,${image}`, `,A,1,${image}`);
  await load(file);
  await load(file);

  expect(await trail()).toMatchObject([
    { action: 'books-imported', details: { ...counts(0, 0, 1), errors: 1, state: 'finished' } },
    {
      action: 'books-imported',
      address: 'command',
      details: { ...counts(1, 0, 0), restored: 0, errors: 1, state: 'finished', line: 3 },
    },
  ]);
});

describe('an import that is ended', () => {
  const file = csv(header, ...Array.from({ length: 2_000 }, (_, index) => `T${index},A,1,${image}`));
  const end = async (options: Partial<ImportOptions> = {}) => {
    const controller = new AbortController();
    let line = 0;
    const ended = load(file, {
      signal: controller.signal,
      onProgress: (done) => {
        line = done.line;
        controller.abort(new Error('ended'));
      },
      ...options,
    });
    await expect(ended).rejects.toThrow('ended');
    return line;
  };

  test('keeps what it has written, and says how far it is', async () => {
    const line = await end();

    const stored = (await storedBooks()).length;
    expect([stored > 0, stored < 2_000]).toEqual([true, true]);
    expect(line).toBe(stored + 1);
    expect(await trail()).toMatchObject([{ details: { added: stored, state: 'stopped', line } }]);
  });

  test('makes commits durable again', async () => {
    await end({ isOnlyWriter: true });

    // Within a transaction, because other connections only read.
    const level = await database.db
      .transaction()
      .execute(async (db) =>
        isOnPostgres()
          ? 2
          : (await sql<{ synchronous: number }>`pragma synchronous`.execute(db)).rows[0]?.synchronous,
      );
    // 2 is FULL (SQLite's manual, pragma synchronous).
    expect(level).toBe(2);
  });
});

test('two imports of one file at the same time add each book once', async () => {
  const other = await database.openAgain();
  const file = csv(header, ...Array.from({ length: 300 }, (_, index) => `T${index},A,1,${image}`));

  const results = await Promise.all(
    [database.db, other.db].map((db) =>
      importBooks(db, Readable.from([Buffer.from(file)]), {
        actor: commandActor,
        isDryRun: false,
        readImage,
      }),
    ),
  );

  expect((await storedBooks()).length).toBe(300);
  expect(results.reduce((sum, { added }) => sum + added, 0)).toBe(300);
  expect(await wordCounts()).toEqual({});
});

test('others can change the catalogue in the middle of an import, and lose nothing', async () => {
  const rows = Array.from({ length: 1_000 }, (_, index) => `Import ${index},A,1,${image}`);
  const own = Array.from({ length: 30 }, (_, index) => ({
    title: `Own ${index}`,
    author: 'A',
    image,
    priceCents: 1,
  }));

  await Promise.all([
    load(csv(header, ...rows)),
    (async () => {
      for (const details of own) await addBook(database.db, details, commandActor);
    })(),
  ]);

  const titles = (await storedBooks()).map(({ title }) => title);
  expect(new Set(titles).size).toBe(1_030);
  // "Import" is counted; "Own" is too short.
  expect(await wordCounts()).toEqual({ import: 1_000 });
});

describe('an export', () => {
  const texts = [
    ['=1+1', "'=already"],
    ['+49', '-1'],
    ['@home', "''quoted"],
    ["'tis", "'"],
    ['say "hi", he said', 'a;b'],
    ['Łódź 紅樓夢 🎩', '＝wide'],
    ["x;=1+1;'=1;''=1; @x;", 'x; "＋1'],
  ] as const;

  test('imported into an empty store and exported again gives the same bytes', async () => {
    for (const [title, author] of texts) {
      await addBook(database.db, { title, author, image, priceCents: 1299, keywords: title }, null);
    }
    await addBook(
      database.db,
      { title: 'Twin', author: 'A', image: imageAddress('ab'.repeat(16)), priceCents: 5 },
      null,
    );
    await addBook(database.db, { title: 'Twin', author: 'A', image, priceCents: 0 }, null);
    const gone = await addBook(database.db, { title: 'Gone', author: 'A', image, priceCents: 1 }, null);
    await deleteBook(database.db, gone.id, commandActor);
    const before = await storedBooks();
    const first = await exported();

    await database.db.deleteFrom('books').execute();
    expect(await load(first)).toMatchObject({ ...counts(9, 0, 0), ...noErrors });

    expect(await storedBooks()).toEqual(before);
    expect(await exported()).toBe(first);
    expect(await load(first)).toMatchObject(counts(0, 0, 9));
  });

  test('begins with its columns, and has no cell that a spreadsheet would compute', async () => {
    for (const [title, author] of texts) {
      await addBook(database.db, { title, author, image, priceCents: 1 }, null);
    }
    const lines = (await exported()).split('\r\n');

    expect(lines[0]).toBe(csvColumns.join());
    expect(lines.at(-1)).toBe('');
    expect(lines[1]).toMatch(/^[^,]+,'=1\+1,''=already,0\.01,https:/);
    for (const line of lines.slice(1)) expect(line).not.toMatch(/(^|[,;])[" ]*[=+\-@\t＝＋－＠]/);
  });

  test('of more books than a page has them all, oldest first', async () => {
    const rows = Array.from({ length: 1_201 }, (_, index) => `T${index},A,1,${image}`);
    await load(csv(header, ...rows));

    const titles = (await exported())
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[1]);

    expect(titles).toEqual(rows.map((_, index) => `T${index}`));
  });

  test('has 50 books in a turn of the event loop, for all exports together', async () => {
    await load(csv(header, ...Array.from({ length: 250 }, (_, index) => `T${index},A,1,${image}`)));
    const { db } = database;
    stopClock();
    const books = countTurns();

    await Promise.all(
      Array.from({ length: 3 }, async () => {
        const parts = await exportBooks({ db, readDb: db }, commandActor, { onBooks: books.add });
        for await (const _ of parts);
      }),
    );

    expect(books.stop()).toMatchObject({ sum: 750, most: 50 });
  });
});

describe('the process of an import', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'colophon-test-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const command = join(import.meta.dirname, '..', '..', 'commands', 'run.ts');
  const start = (file: string) => {
    const child = spawn(process.execPath, [command, 'books', 'import', file, '--json'], {
      env: { ...process.env, DATABASE_URL: database.url },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };

  test('is killed in the middle, and the next one has every row once', { timeout: 60_000 }, async () => {
    const file = join(folder, 'books.csv');
    const rows = Array.from(
      { length: 3_000 },
      (_, index) => `Title ${index},Author ${index % 50},1,${image}`,
    );
    await writeFile(file, csv(header, ...rows));
    const first = start(file);
    const stored100 = async () => (await storedBooks()).length > 100;
    await expect.poll(stored100, { interval: 20, timeout: 30_000 }).toBe(true);
    first.kill('SIGKILL');
    await once(first, 'exit');
    const stored = (await storedBooks()).length;
    expect(await trail()).toMatchObject([
      { details: { added: stored, changed: 0, state: 'running', line: stored + 1 } },
    ]);
    const { entries } = await listActivity(database.db, { limit: 1 }, Date.now() + 16 * 60_000);
    expect(entries[0]?.details).toMatchObject({ added: stored, state: 'stopped', line: stored + 1 });
    expect(entries[0]?.details).not.toHaveProperty('seenAt');

    const second = start(file);
    const result = JSON.parse(await text(second.stdout));

    expect(stored).toBeLessThan(3_000);
    expect(result).toMatchObject({ ...counts(3_000 - stored, 0, stored), ...noErrors });
    expect((await storedBooks()).map(({ title }) => title)).toEqual(rows.map((_, index) => `Title ${index}`));
    expect(await wordCounts()).toEqual({ title: 3_000, author: 3_000 });
  });
});
