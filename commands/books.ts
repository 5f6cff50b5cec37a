/** `shop books`: the catalogue book by book; import-books.ts has the file. */

import { type BookField, type BookFieldName, bookFields, byField } from '../contract/book-fields.ts';
import { changeText } from '../contract/desk/change-text.ts';
import { ManyBooksChange } from '../contract/desk/changed-books.ts';
import { imageIdIn } from '../contract/image-address.ts';
import type { Money } from '../contract/price.ts';
import { commandActor } from '../server/activity/activity.ts';
import { bookLine } from '../server/catalogue/acts/books.ts';
import { changeBooks } from '../server/catalogue/change-books.ts';
import { restoreBook } from '../server/catalogue/delete-book.ts';
import { findDeskBook } from '../server/catalogue/desk-books.ts';
import { type BookEdit, copiesBy, type EditedBook, editBook } from '../server/catalogue/edit-book.ts';
import { reasonAgainst } from '../server/catalogue/wrong-texts.ts';
import type { Db } from '../server/database/tables.ts';
import { setOnFrontTable } from '../server/front-table/front-table.ts';
import { checkValue } from '../server/http/bodies.ts';
import { renewImage } from '../server/images/images.ts';
import { keepAddress } from '../server/import/row-images.ts';
import { StartError } from '../server/start-error.ts';
import { flag, OptionError, text, value, wordOf } from '../tools/options.ts';
import { command, json, type Result, UsageError } from './command.ts';
import { catalogueRules, importFile } from './import-books.ts';
import { withDatabase } from './with-database.ts';

/** @returns the value of a typed field in its stored form. An image, which the database checks, and `+1` stay as typed. */
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
    field.limits ? 'number' : 'text',
    (given) => readField(field, given),
  );

async function resultOf(db: Db, id: string, { money }: { money: Money }): Promise<Result> {
  const book = await findDeskBook(db, id);
  if (!book) throw new StartError(`No book has the id ${id}.`);
  return { json: book, lines: [bookLine(book, money)] };
}

export const bookCommands = {
  'books import': importFile,
  'books edit': command({
    purpose: 'Changes a book, for sale or sold out. Its id, its place in the list and its orders stay.',
    options: {
      ...byField<Record<BookFieldName, ReturnType<typeof fieldOption>>>(bookFields, fieldOption),
      'front-table': value(
        'on puts it on the front table of the home screen, off takes it off',
        'on or off',
        (given) => wordOf(given, ['on', 'off']) === 'on',
      ),
      json,
    },
    operands: ['ID'],
    run: ({ 'front-table': onFrontTable, ...values }, io, [id = '']) =>
      withDatabase(io, async ({ db }) => {
        const rules = await catalogueRules(io, db);
        const { money } = rules;
        const wrong = values.price !== undefined && !money.has(Number(values.price));
        if (wrong) throw new UsageError('--price: write an amount without decimals');
        const change = byField<BookEdit>(bookFields, ({ name }) => values[name], 'property');
        if (change.image !== undefined) {
          change.image = keepAddress(rules, change.image);
          const imageId = imageIdIn(change.image);
          if (imageId && !(await renewImage(db, imageId))) {
            throw new StartError('The store does not have this image.');
          }
        }
        const { copies } = values;
        const edit = (book: EditedBook) =>
          typeof copies === 'string' ? { ...change, ...copiesBy(book, Number(copies), 'copies') } : change;
        const edited = await editBook(db, id, edit, { actor: commandActor, isExpected: () => true });
        if (!edited) throw new StartError(`No book for sale has the id ${id}.`);
        if (onFrontTable !== undefined) await setOnFrontTable(db, id, onFrontTable, commandActor);
        return await resultOf(db, id, rules);
      }),
  }),
  'books change': command({
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
      json,
    },
    operands: ['ID…'],
    async run({ percent, price, 'dry-run': isDryRun, ...given }, io, ids) {
      const [change, ...others] = [
        percent !== undefined && { pricePercent: Number(percent) },
        price !== undefined && { price: { value: price.trim() } },
        given['add-subject'] !== undefined && { addSubject: given['add-subject'] },
        given['remove-subject'] !== undefined && { removeSubject: given['remove-subject'] },
        given.delete && { isDeleted: true },
        given.restore && { isDeleted: false },
      ].filter((one) => one !== false);
      if (!change || others.length > 0) throw new OptionError('Say with one option what to change');
      return await withDatabase(io, async ({ db }) => {
        const { money } = await catalogueRules(io, db);
        const [wrong] = checkValue(ManyBooksChange, change, money)?.errors ?? [];
        if (wrong) throw new UsageError(wrong.message);
        const books = await Promise.all(ids.map((id) => findDeskBook(db, id)));
        const versions = ids.map((_id, index) => ({ _id, version: books[index]?.version ?? 0 }));
        const result = await changeBooks(db, versions, { change, money, isDryRun }, commandActor);
        return {
          json: result,
          lines: result.changed.map((one) => [one._id, one.title, changeText(one, money)]),
          notes: result.skipped.map(({ _id, reason }) => `${_id}: ${reason}`),
        };
      });
    },
  }),
  'books restore': command({
    purpose: 'Puts a deleted book back on sale, at the place that it had.',
    options: { json },
    operands: ['ID'],
    run: (_values, io, [id = '']) =>
      withDatabase(io, async ({ db }) => {
        const rules = await catalogueRules(io, db);
        await restoreBook(db, id, commandActor);
        return await resultOf(db, id, rules);
      }),
  }),
};
