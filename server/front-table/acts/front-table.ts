import { BookParams } from '../../../contract/book.ts';
import { DeskBook } from '../../../contract/desk/books.ts';
import { FrontTable, FrontWords } from '../../../contract/desk/front-table.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { tidyText } from '../../../contract/pasted-text.ts';
import * as Part from '../../../contract/schema-parts.ts';
import { act } from '../../access/act.ts';
import { recordActivity } from '../../activity/activity.ts';
import { findDeskBook } from '../../catalogue/desk-books.ts';
import { Problem } from '../../http/problems.ts';
import { findFrontTable, lockFrontTable, setOnFrontTable as set, setTableBooks } from '../front-table.ts';

export const readFrontTable = act({
  method: 'GET',
  path: deskPaths.frontTable,
  operationId: 'findFrontTable',
  summary: 'The front table: the owner’s words, and the chosen books that are for sale',
  scope: 'catalogue',
  output: FrontTable,
  run: ({ listDb }) => findFrontTable(listDb),
});

export const editFrontWords = act({
  method: 'PATCH',
  path: deskPaths.frontTable,
  operationId: 'editFrontTable',
  summary: 'Changes the words and the books of the front table',
  description: 'An empty text takes the owner’s away.',
  scope: 'catalogue',
  input: { body: FrontWords },
  output: FrontTable,
  problems: ['BOOK_NOT_FOUND'],
  async run({ db, actor, onShelfChanged }, { body }) {
    await db.transaction().execute(async (db) => {
      const old = await lockFrontTable(db);
      const heading = tidyText(body.heading ?? old.heading);
      const words = tidyText(body.words ?? old.words);
      const books = body.books && (await setTableBooks(db, body.books));
      if (heading === old.heading && words === old.words && !books) return;
      await db.updateTable('front_table').set({ heading, words }).execute();
      await recordActivity(db, 'front-table-edited', actor, {
        details: {
          ...(heading !== old.heading && { oldHeading: old.heading, newHeading: heading }),
          ...(words !== old.words && { oldWords: old.words, newWords: words }),
          ...books,
        },
      });
    });
    onShelfChanged();
    return await findFrontTable(db);
  },
});

export const setOnFrontTable = act({
  method: 'POST',
  path: deskPaths.bookFrontTable,
  operationId: 'setOnFrontTable',
  summary: 'Puts a book on the front table, or takes it off',
  description:
    'It stands there last. The table has six books at most; those that are sold out or deleted do not stand on it, and ' +
    'come back when they are for sale again.',
  scope: 'catalogue',
  input: {
    params: BookParams,
    body: Part.Named('FrontTableChoice', {
      isOn: Part.Flag('Whether the book is on the front table from now on.'),
    }),
  },
  output: DeskBook,
  problems: ['BOOK_NOT_FOUND', 'FRONT_TABLE_FULL'],
  async run({ db, actor, onShelfChanged }, { params: { id }, body: { isOn } }) {
    const book = (await set(db, id, isOn, actor)) && (await findDeskBook(db, id));
    if (!book) throw new Problem('BOOK_NOT_FOUND');
    onShelfChanged();
    return book;
  },
});
