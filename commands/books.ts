/** `shop books`: the catalogue book by book; import-books.ts has the file. */

import {
  type BookField,
  type BookFieldName,
  bookFields,
  byField,
  fieldsByName,
} from '../contract/book-fields.ts';
import { changeText } from '../contract/desk/change-text.ts';
import type { ManyBooksChange } from '../contract/desk/changed-books.ts';
import { imageIdIn } from '../contract/image-address.ts';
import { commandActor } from '../server/activity/activity.ts';
import { bookLine } from '../server/catalogue/acts/list-books.ts';
import { changeBooks } from '../server/catalogue/change-books.ts';
import { restoreBook } from '../server/catalogue/delete-book.ts';
import { findDeskBook } from '../server/catalogue/desk-books.ts';
import { type BookEdit, copiesBy, type EditedBook, editBook } from '../server/catalogue/edit-book.ts';
import { reasonAgainst } from '../server/catalogue/wrong-texts.ts';
import type { Db } from '../server/database/tables.ts';
import { setOnFrontTable } from '../server/front-table/front-table.ts';
import { renewImage } from '../server/images/images.ts';
import { WrongImage } from '../server/import/fetch-image.ts';
import { keepAddress } from '../server/import/row-images.ts';
import { StartError } from '../server/start-error.ts';
import { flag, OptionError, value, wordOf } from '../tools/options.ts';
import { command, type Io } from './command.ts';
import { imagePolicy, importFile } from './import-books.ts';
import { lineOf, printable, printJson } from './print.ts';
import { withDatabase } from './with-database.ts';

/** @returns the value of a typed field as it is stored. An image, which the database decides on, and `+1` stay as they were typed. */
function readField(field: BookField, given: string) {
  const text = field.tidy(given);
  if (field.kind === 'count' && /^[+-]\d{1,4}$/.test(text)) return text;
  const reason = reasonAgainst(field, text);
  if (reason) throw new OptionError(`${reason.charAt(0).toLowerCase()}${reason.slice(1).replace(/\.$/, '')}`);
  return field.kind === 'image' ? text : field.read(text, '');
}

const fieldOption = (field: BookField) =>
  value(
    `${field.hint}${field.isOptional ? '; an empty text removes it' : ''}${field.kind === 'count' ? '; +1 adds one, -1 takes one away' : ''}`,
    field.kind === 'count' ? 'number' : 'text',
    (given) => readField(field, given),
  );

const frontTable = value(
  'on puts it on the front table of the home screen, off takes it off',
  'on or off',
  (given) => wordOf(given, ['on', 'off']) === 'on',
);

const bookAsJson = flag('print the book as one JSON object');

async function printBook(io: Io, db: Db, id: string, json: boolean): Promise<void> {
  const book = await findDeskBook(db, id);
  if (!book) return;
  if (json) printJson(io, book);
  else io.stdout.write(lineOf(bookLine(book)));
}

const edit = command({
  purpose: 'Changes a book, for sale or sold out. Its id, its place in the list and its orders stay.',
  options: {
    ...byField<Record<BookFieldName, ReturnType<typeof fieldOption>>>(bookFields, fieldOption),
    'front-table': frontTable,
    json: bookAsJson,
  },
  operands: ['ID'],
  async run({ json, 'front-table': onFrontTable, ...values }, io, [id = '']) {
    await withDatabase(io, async ({ db }) => {
      const change = byField<BookEdit>(bookFields, ({ name }) => values[name], 'property');
      if (change.image !== undefined) change.image = await claimImage(io, db, change.image);
      const { copies } = values;
      const edit = (book: EditedBook) =>
        typeof copies === 'string' ? { ...change, ...copiesBy(book, Number(copies), 'copies') } : change;
      const edited = await editBook(db, id, edit, { actor: commandActor, isExpected: () => true });
      if (!edited) throw new StartError(`No book for sale has the id ${id}.`);
      if (onFrontTable !== undefined) await setOnFrontTable(db, id, onFrontTable, commandActor);
      await printBook(io, db, id, json);
    });
  },
});

/** @throws {StartError} for an image that a book cannot have. */
async function claimImage(io: Io, db: Db, image: string): Promise<string> {
  try {
    const address = keepAddress(imagePolicy(io), image);
    const imageId = imageIdIn(address);
    if (imageId === undefined || (await renewImage(db, imageId))) return address;
    throw new WrongImage('The store does not have this image.');
  } catch (error) {
    throw error instanceof WrongImage ? new StartError(`--image: ${error.message}`) : error;
  }
}

const restore = command({
  purpose: 'Puts a deleted book back on sale, at the place that it had.',
  options: { json: bookAsJson },
  operands: ['ID'],
  async run({ json }, io, [id = '']) {
    await withDatabase(io, async ({ db }) => {
      if (!(await restoreBook(db, id, commandActor))) throw new StartError(`No book has the id ${id}.`);
      await printBook(io, db, id, json);
    });
  },
});

const percent = value(
  'adds so many per cent to each price, half a cent up; -10 takes ten off',
  'number',
  (given) => {
    if (Number(given) >= -100 && Number(given) <= 1000) return { pricePercent: Number(given) };
    throw new OptionError(`"${given}" is not a number from -100 to 1000`);
  },
);

const price = value('the price of each, such as 12.99', 'text', (given) => {
  readField(fieldsByName.price, given);
  return { price: { value: given.trim() } };
});

const change = command({
  purpose:
    'Changes the price or a subject of several books, or deletes or restores them. One of the options says what.',
  options: {
    percent,
    price,
    'add-subject': value('a part of the keywords, between commas', 'text', (addSubject) => ({ addSubject })),
    'remove-subject': value('a part of the keywords', 'text', (removeSubject) => ({ removeSubject })),
    delete: flag('takes them out of sale'),
    restore: flag('puts them back on sale'),
    'dry-run': flag('only prints what would change'),
    json: flag('print one JSON object'),
  },
  operands: ['ID…'],
  async run({ 'dry-run': isDryRun, json, delete: deletes, restore, ...given }, io, ids) {
    const all: (ManyBooksChange | false | undefined)[] = [
      ...Object.values(given),
      deletes && { isDeleted: true },
      restore && { isDeleted: false },
    ];
    const changes = all.filter((one) => one !== undefined && one !== false);
    const [change] = changes;
    if (!change || changes.length > 1) throw new OptionError('Say with one option what to change');
    const result = await withDatabase(io, async ({ db }) => {
      const books = await Promise.all(ids.map((id) => findDeskBook(db, id)));
      const versions = ids.map((_id, index) => ({ _id, version: books[index]?.version ?? 0 }));
      return await changeBooks(db, versions, { change, isDryRun }, commandActor);
    });
    if (json) return printJson(io, result);
    for (const changed of result.changed) {
      io.stdout.write(lineOf([changed._id, changed.title, changeText(changed)]));
    }
    for (const { _id, reason } of result.skipped) io.stderr.write(`${printable(_id)}: ${reason}\n`);
  },
});

export const bookCommands = {
  'books import': importFile,
  'books edit': edit,
  'books change': change,
  'books restore': restore,
};
