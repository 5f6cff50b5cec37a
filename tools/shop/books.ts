/** `shop books`: the catalogue as a file, and book by book. */

import { maxLengths } from '../../contract/book.ts';
import type { DeskBook, DeskBooksQuery } from '../../contract/desk-books.ts';
import { formats } from '../../contract/field-formats.ts';
import { imageIdIn } from '../../contract/image-address.ts';
import { amountToCents } from '../../contract/money.ts';
import { commandActor } from '../../server/activity/activity.ts';
import { restoreBook } from '../../server/catalogue/books.ts';
import { findDeskBook, listDeskBooks } from '../../server/catalogue/desk-books.ts';
import { type BookEdit, editBook } from '../../server/catalogue/edit-book.ts';
import { exportBooks } from '../../server/catalogue/export-books.ts';
import { keepAddresses } from '../../server/catalogue/import/row-images.ts';
import { WrongImage } from '../../server/catalogue/import/wrong-image.ts';
import type { Db } from '../../server/database/tables.ts';
import { renewImage } from '../../server/images/images.ts';
import { StartError } from '../../server/start-error.ts';
import { flag, type Option, OptionError, readCommand, readOptions, text, wholeNumber } from '../options.ts';
import { counted } from './counted.ts';
import { imagePolicy } from './image-policy.ts';
import { importFile } from './import-books.ts';
import { printable } from './printable.ts';
import { reportList } from './report-list.ts';
import { withDatabase } from './with-database.ts';
import { force, reportExport, writeParts } from './write-parts.ts';

async function exportFile(args: readonly string[]): Promise<void> {
  const { values, operands } = readCommand(
    'npm run shop -- books export',
    'Writes the books for sale to a CSV file, oldest first, as books import takes it. FILE may be - for standard output.',
    { options: { force }, operands: ['FILE'] },
    args,
  );
  const [file = ''] = operands;
  let books = 0;
  const onBooks = (count: number) => {
    books += count;
  };
  await withDatabase(({ db, deskDb }) =>
    writeParts(file, { isForced: values.force }, () =>
      exportBooks({ db, readDb: deskDb }, commandActor, { onBooks }),
    ),
  );
  reportExport(counted(books, 'book'), file);
}

async function list(args: readonly string[]): Promise<void> {
  const { deleted, json, limit, q } = readOptions(
    'npm run shop -- books list',
    'Lists the books for sale, newest first.',
    {
      deleted: flag('list the deleted ones instead, by the time of their deletion'),
      q: text('only books with these words, the best matches first', 'words'),
      limit: wholeNumber('how many books at most', 999_999_999, 1),
      json: flag('print one JSON array'),
    },
    args,
  );
  await withDatabase(async ({ deskDb }) => {
    let listed = 0;
    let isCut = false;
    for await (const book of eachBook(deskDb, { state: deleted ? 'deleted' : 'for-sale', ...(q && { q }) })) {
      isCut = listed === limit;
      if (isCut) break;
      const separator = listed === 0 ? '[' : ',\n';
      process.stdout.write(json ? `${separator}${JSON.stringify(book)}` : lineOf(book));
      listed += 1;
    }
    if (json) process.stdout.write(listed === 0 ? '[]\n' : ']\n');
    else reportList(listed, isCut, deleted ? 'No deleted book is listed.' : 'No book is listed.');
  });
}

async function* eachBook(db: Db, query: DeskBooksQuery): AsyncGenerator<DeskBook> {
  let cursor: string | undefined;
  do {
    const page = await listDeskBooks(db, { ...query, ...(cursor === undefined ? {} : { cursor }) });
    yield* page.books;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

const lineOf = ({ _id, price, title, author, removedAt }: DeskBook): string => {
  const columns = [_id, price.value.toFixed(2).padStart(10), removedAt, title, author];
  return `${columns
    .filter((column) => column !== null)
    .map(printable)
    .join('  ')}\n`;
};

/** @param check throws, or returns the value. */
const field = <Value>(help: string, check: (text: string) => Value): Option<Value | undefined> => ({
  help,
  valueName: 'text',
  read(texts) {
    const given = texts.at(-1);
    return given === undefined ? undefined : check(String(given).trim());
  },
});

const line = (name: 'title' | 'author' | 'keywords') => (text: string) => {
  if (text === '' && name !== 'keywords') throw new OptionError('must not be empty');
  if (!formats['line']?.check(text, '')) throw new OptionError('must be text without control characters');
  if ([...text].length > maxLengths[name]) {
    throw new OptionError(`must not be longer than ${maxLengths[name]} characters`);
  }
  return text;
};

const price = (text: string) => {
  const cents = amountToCents(text);
  if (cents === undefined) throw new OptionError(`"${text}" is not an amount such as 12.99`);
  return cents;
};

async function edit(args: readonly string[]): Promise<void> {
  const { values, operands } = readCommand(
    'npm run shop -- books edit',
    'Changes a book for sale. Its id, its place in the list and its orders stay.',
    {
      options: {
        title: field('the new title', line('title')),
        author: field('the new author', line('author')),
        price: field('the new price, such as 12.99', price),
        image: field('the new image: an https: address, or the path of an uploaded one', (text) => text),
        keywords: field('further words that find it; an empty text removes them', line('keywords')),
        json: flag('print the book as one JSON object'),
      },
      operands: ['ID'],
    },
    args,
  );
  const { title, author, price: priceCents, image, keywords, json } = values;
  const [id = ''] = operands;
  await withDatabase(async ({ db }) => {
    const change: BookEdit = {
      ...(title !== undefined && { title }),
      ...(author !== undefined && { author }),
      ...(priceCents !== undefined && { priceCents }),
      ...(image !== undefined && { image: await claimImage(db, image) }),
      ...(keywords !== undefined && { keywords: keywords || null }),
    };
    const edited = await editBook(db, id, change, { actor: commandActor, isExpected: () => true });
    if (!edited) throw new StartError(`No book for sale has the id ${id}.`);
    await printBook(db, id, json);
  });
}

/** @throws {StartError} for an image that a book cannot have. */
async function claimImage(db: Db, image: string): Promise<string> {
  try {
    const { image: address } = keepAddresses(imagePolicy())(image);
    const imageId = imageIdIn(address);
    if (imageId === undefined || (await renewImage(db, imageId))) return address;
    throw new WrongImage('The store does not have this image.');
  } catch (error) {
    throw error instanceof WrongImage ? new StartError(`--image: ${error.message}`) : error;
  }
}

async function restore(args: readonly string[]): Promise<void> {
  const { values, operands } = readCommand(
    'npm run shop -- books restore',
    'Puts a deleted book back on sale, at the place that it had.',
    { options: { json: flag('print the book as one JSON object') }, operands: ['ID'] },
    args,
  );
  const [id = ''] = operands;
  await withDatabase(async ({ db }) => {
    if (!(await restoreBook(db, id, commandActor))) throw new StartError(`No book has the id ${id}.`);
    await printBook(db, id, values.json);
  });
}

async function printBook(db: Db, id: string, json: boolean): Promise<void> {
  const book = await findDeskBook(db, id);
  if (book) process.stdout.write(json ? `${JSON.stringify(book)}\n` : lineOf(book));
}

export const bookCommands = {
  'books import': importFile,
  'books export': exportFile,
  'books list': list,
  'books edit': edit,
  'books restore': restore,
};
