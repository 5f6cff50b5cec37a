/** `shop books`: the catalogue as a file, and book by book. */

import { type BookField, type BookFieldName, bookFields, byField } from '../contract/book-fields.ts';
import { counted } from '../contract/counted.ts';
import type { DeskBook } from '../contract/desk/books.ts';
import { imageIdIn } from '../contract/image-address.ts';
import { commandActor } from '../server/activity/activity.ts';
import { restoreBook } from '../server/catalogue/delete-book.ts';
import { findDeskBook, listDeskBooks } from '../server/catalogue/desk-books.ts';
import { type BookEdit, copiesBy, type EditedBook, editBook } from '../server/catalogue/edit-book.ts';
import { exportBooks } from '../server/catalogue/export-books.ts';
import { reasonAgainst } from '../server/catalogue/wrong-texts.ts';
import type { Db } from '../server/database/tables.ts';
import { Problem } from '../server/http/problems.ts';
import { renewImage } from '../server/images/images.ts';
import { WrongImage } from '../server/import/fetch-image.ts';
import { type ImagePolicy, keepAddresses } from '../server/import/row-images.ts';
import { StartError } from '../server/start-error.ts';
import { flag, type Option, OptionError, text, wholeNumber } from '../tools/options.ts';
import { command, type Io } from './command.ts';
import { imagePolicy } from './image-policy.ts';
import { importFile } from './import-books.ts';
import { lineOf, printJson, printPages } from './print.ts';
import { withDatabase } from './with-database.ts';
import { force, reportExport, writeParts } from './write-parts.ts';

const exportFile = command({
  purpose:
    'Writes the books for sale to a CSV file, oldest first, as books import takes it. FILE may be - for standard output.',
  options: { force },
  operands: ['FILE'],
  async run({ force: isForced }, io, [file = '']) {
    let books = 0;
    const onBooks = (count: number) => {
      books += count;
    };
    await withDatabase(io, ({ db, deskDb }) =>
      writeParts(io, file, { isForced }, () =>
        exportBooks({ db, readDb: deskDb }, commandActor, { onBooks }),
      ),
    );
    reportExport(io, counted(books, 'book'), file);
  },
});

const list = command({
  purpose: 'Lists the books for sale, newest first.',
  options: {
    deleted: flag('list the deleted ones instead, by the time of their deletion'),
    'sold-out': flag('list those that are sold out instead, by the time of their last sale'),
    q: text('only books with these words, the best matches first', 'words'),
    limit: wholeNumber('how many books at most', 999_999_999, 1),
    json: flag('print one JSON array'),
  },
  async run({ deleted, 'sold-out': soldOut, json, limit, q }, io) {
    const state = deleted ? 'deleted' : soldOut ? 'sold-out' : 'for-sale';
    await withDatabase(io, ({ deskDb }) =>
      printPages(io, {
        json,
        limit,
        lineOf: bookLine,
        whenEmpty: state === 'for-sale' ? 'No book is listed.' : `No ${state} book is listed.`,
        async fetch({ limit, cursor }) {
          const page = { limit, ...(q && { q }), ...(cursor !== undefined && { cursor }) };
          const { books, nextCursor } = await listDeskBooks(deskDb, { state, ...page });
          return { items: books, nextCursor };
        },
      }),
    );
  },
});

const bookLine = ({ _id, price, title, author, copies, removedAt }: DeskBook): string =>
  lineOf([
    _id,
    price.value.toFixed(2).padStart(10),
    ...(copies === null ? [] : [copies === 0 ? 'sold out' : copies === 1 ? '1 copy' : `${copies} copies`]),
    ...(removedAt === null ? [] : [removedAt]),
    title,
    author,
  ]);

/** A field as an option. The value is as it is stored; an image, which the database decides on, and `+1` as they were given. */
const option = (field: BookField): Option<string | number | null | undefined> => ({
  help: `${field.hint}${field.isOptional ? '; an empty text removes it' : ''}${field.kind === 'count' ? '; +1 adds one, -1 takes one away' : ''}`,
  valueName: field.kind === 'count' ? 'number' : 'text',
  read(texts) {
    const given = texts.at(-1);
    if (given === undefined) return undefined;
    const text = String(given).trim();
    if (field.kind === 'count' && /^[+-]\d{1,4}$/.test(text)) return text;
    const reason = reasonAgainst(field, text);
    if (reason)
      throw new OptionError(`${reason.charAt(0).toLowerCase()}${reason.slice(1).replace(/\.$/, '')}`);
    return field.kind === 'image' ? text : field.read(text, '');
  },
});

const edit = command({
  purpose: 'Changes a book, for sale or sold out. Its id, its place in the list and its orders stay.',
  options: {
    ...byField<Record<BookFieldName, ReturnType<typeof option>>>(bookFields, option),
    json: flag('print the book as one JSON object'),
  },
  operands: ['ID'],
  async run({ json, ...values }, io, [id = '']) {
    await withDatabase(io, async ({ db }) => {
      const change = byField<BookEdit>(bookFields, ({ name }) => values[name], 'property');
      if (change.image !== undefined) change.image = await claimImage(db, change.image, imagePolicy(io));
      const { copies } = values;
      const edit = (book: EditedBook) =>
        typeof copies === 'string' ? { ...change, ...copiesBy(Number(copies), 'copies')(book) } : change;
      const edited = await editBook(db, id, edit, { actor: commandActor, isExpected: () => true }).catch(
        (error: unknown) => {
          if (!(error instanceof Problem)) throw error;
          throw new StartError(error.errors?.[0]?.message ?? error.message);
        },
      );
      if (!edited) throw new StartError(`No book for sale has the id ${id}.`);
      await printBook(io, { db, id, json });
    });
  },
});

/** @throws {StartError} for an image that a book cannot have. */
async function claimImage(db: Db, image: string, policy: ImagePolicy): Promise<string> {
  try {
    const { image: address } = keepAddresses(policy)(image);
    const imageId = imageIdIn(address);
    if (imageId === undefined || (await renewImage(db, imageId))) return address;
    throw new WrongImage('The store does not have this image.');
  } catch (error) {
    throw error instanceof WrongImage ? new StartError(`--image: ${error.message}`) : error;
  }
}

const restore = command({
  purpose: 'Puts a deleted book back on sale, at the place that it had.',
  options: { json: flag('print the book as one JSON object') },
  operands: ['ID'],
  async run({ json }, io, [id = '']) {
    await withDatabase(io, async ({ db }) => {
      if (!(await restoreBook(db, id, commandActor))) throw new StartError(`No book has the id ${id}.`);
      await printBook(io, { db, id, json });
    });
  },
});

async function printBook(io: Io, { db, id, json }: { db: Db; id: string; json: boolean }): Promise<void> {
  const book = await findDeskBook(db, id);
  if (!book) return;
  if (json) printJson(io, book);
  else io.stdout.write(bookLine(book));
}

export const bookCommands = {
  'books import': importFile,
  'books export': exportFile,
  'books list': list,
  'books edit': edit,
  'books restore': restore,
};
