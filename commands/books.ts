/** `shop books`: the catalogue as a file, and book by book. */

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
import { Problem } from '../server/http/problems.ts';
import { renewImage } from '../server/images/images.ts';
import { WrongImage } from '../server/import/fetch-image.ts';
import { type ImagePolicy, keepAddresses } from '../server/import/row-images.ts';
import { StartError } from '../server/start-error.ts';
import { flag, type Option, OptionError, text, wordOf } from '../tools/options.ts';
import { command, type Io } from './command.ts';
import { imagePolicy } from './image-policy.ts';
import { importFile } from './import-books.ts';
import { lineOf, printable, printJson } from './print.ts';
import { withDatabase } from './with-database.ts';

/** A field as an option. Its value is as the store keeps it. An image, which the database decides on, and `+1` stay as they were given. */
const option = (field: BookField): Option<string | number | null | undefined> => ({
  help: `${field.hint}${field.isOptional ? '; an empty text removes it' : ''}${field.kind === 'count' ? '; +1 adds one, -1 takes one away' : ''}`,
  valueName: field.kind === 'count' ? 'number' : 'text',
  read(texts) {
    const given = texts.at(-1);
    if (given === undefined) return undefined;
    const text = field.tidy(String(given));
    if (field.kind === 'count' && /^[+-]\d{1,4}$/.test(text)) return text;
    const reason = reasonAgainst(field, text);
    if (reason)
      throw new OptionError(`${reason.charAt(0).toLowerCase()}${reason.slice(1).replace(/\.$/, '')}`);
    return field.kind === 'image' ? text : field.read(text, '');
  },
});

const frontTable: Option<boolean | undefined> = {
  help: 'on puts it on the front table of the home screen, off takes it off',
  valueName: 'on or off',
  read: (texts) => (texts.length === 0 ? undefined : wordOf(texts.at(-1) ?? '', ['on', 'off']) === 'on'),
};

const edit = command({
  purpose: 'Changes a book, for sale or sold out. Its id, its place in the list and its orders stay.',
  options: {
    ...byField<Record<BookFieldName, ReturnType<typeof option>>>(bookFields, option),
    'front-table': frontTable,
    json: flag('print the book as one JSON object'),
  },
  operands: ['ID'],
  async run({ json, 'front-table': onFrontTable, ...values }, io, [id = '']) {
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
      if (onFrontTable !== undefined) await putOnFrontTable(db, id, onFrontTable);
      await printBook(io, { db, id, json });
    });
  },
});

/** @throws {StartError} if the front table is full. */
async function putOnFrontTable(db: Db, id: string, isOn: boolean): Promise<void> {
  try {
    await setOnFrontTable(db, id, isOn, commandActor);
  } catch (error) {
    throw error instanceof Problem ? new StartError(error.message) : error;
  }
}

/** @throws {StartError} for an image that a book cannot have. */
async function claimImage(db: Db, image: string, policy: ImagePolicy): Promise<string> {
  try {
    const address = keepAddresses(policy)(image, undefined);
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

const change = command({
  purpose:
    'Changes the price or a subject of several books, or deletes or restores them. One of the options says what.',
  options: {
    percent: text('adds so many per cent to each price, half a cent up; -10 takes ten off', 'number'),
    price: text('the price of each, such as 12.99', 'text'),
    'add-subject': text('a part of the keywords, between commas', 'text'),
    'remove-subject': text('a part of the keywords', 'text'),
    delete: flag('takes them out of sale'),
    restore: flag('puts them back on sale'),
    'dry-run': flag('only prints what would change'),
    json: flag('print one JSON object'),
  },
  operands: ['ID…'],
  async run({ 'dry-run': isDryRun, json, ...given }, io, ids) {
    const change = readChange(given);
    const result = await withDatabase(io, async ({ db }) => {
      const books = await Promise.all(ids.map((id) => findDeskBook(db, id)));
      const versions = ids.map((_id, index) => ({ _id, version: books[index]?.version ?? 0 }));
      return await changeBooks(db, versions, { change, isDryRun }, commandActor);
    });
    if (json) printJson(io, result);
    else {
      for (const changed of result.changed) {
        io.stdout.write(lineOf([changed._id, changed.title, changeText(changed)]));
      }
      for (const { _id, reason } of result.skipped) io.stderr.write(`${printable(_id)}: ${reason}\n`);
    }
  },
});

/** @throws {OptionError} */
function readChange(given: {
  percent: string | undefined;
  price: string | undefined;
  'add-subject': string | undefined;
  'remove-subject': string | undefined;
  delete: boolean;
  restore: boolean;
}): ManyBooksChange {
  const { percent, price, 'add-subject': addSubject, 'remove-subject': removeSubject } = given;
  const reason = price === undefined ? undefined : reasonAgainst(fieldsByName.price, price.trim());
  if (reason) throw new OptionError(`--price: ${reason}`);
  const pricePercent = percent === undefined ? 0 : Number(percent);
  if (!(pricePercent >= -100 && pricePercent <= 1000)) {
    throw new OptionError(`--percent: "${percent}" is not a number from -100 to 1000`);
  }
  const changes: ManyBooksChange[] = [
    ...(percent === undefined ? [] : [{ pricePercent }]),
    ...(price === undefined ? [] : [{ price: { value: price.trim() } }]),
    ...(addSubject?.trim() ? [{ addSubject }] : []),
    ...(removeSubject?.trim() ? [{ removeSubject }] : []),
    ...(given.delete ? [{ isDeleted: true }] : []),
    ...(given.restore ? [{ isDeleted: false }] : []),
  ];
  const [change] = changes;
  if (!change || changes.length > 1) throw new OptionError('Say with one option what to change');
  return change;
}

async function printBook(io: Io, { db, id, json }: { db: Db; id: string; json: boolean }): Promise<void> {
  const book = await findDeskBook(db, id);
  if (!book) return;
  if (json) printJson(io, book);
  else io.stdout.write(lineOf(bookLine(book)));
}

export const bookCommands = {
  'books import': importFile,
  'books edit': edit,
  'books change': change,
  'books restore': restore,
};
