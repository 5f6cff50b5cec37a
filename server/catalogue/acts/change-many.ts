import { fieldsByName } from '../../../contract/book-fields.ts';
import { ChangeBooks, ChangedBooks, UndoBooks } from '../../../contract/desk/changed-books.ts';
import { maxAtOnce } from '../../../contract/desk/limits.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { act } from '../../access/act.ts';
import { changeBooks as change, undoBooks as undo } from '../change-books.ts';

export const changeBooks = act({
  method: 'POST',
  path: deskPaths.booksChange,
  operationId: 'changeBooks',
  summary: 'Changes the price or a subject of many books, deletes them or restores them',
  description:
    'A subject is a part of the keywords between commas, outside parentheses. The response says what has changed, for `POST /desk/api/books/undo`, ' +
    'and which books were left alone. The same call again changes no price twice, because the versions are others then.',
  scope: 'catalogue',
  limit: 'catalogue-changes',
  input: { body: ChangeBooks },
  output: ChangedBooks,
  // The limit has room for the id and the version of each book.
  bodyLimit: maxAtOnce * 128,
  async run({ db, money, actor, onShelfChanged }, { body: { books, change: wanted, dryRun = false } }) {
    const result = await change(db, books, { change: wanted, money, isDryRun: dryRun }, actor);
    if (!dryRun) onShelfChanged();
    return result;
  },
});

export const undoBooks = act({
  method: 'POST',
  path: deskPaths.booksUndo,
  operationId: 'undoBooks',
  summary: 'Gives books the values back that they had before a change of many',
  description: 'Books that were changed since are left alone.',
  scope: 'catalogue',
  limit: 'catalogue-changes',
  input: { body: UndoBooks },
  output: ChangedBooks,
  // The limit has room for the keywords of each book, in up to three bytes a letter.
  bodyLimit: maxAtOnce * (fieldsByName.keywords.maxLength * 3 + 200),
  async run({ db, actor, onShelfChanged }, { body }) {
    const result = await undo(db, body.books, actor);
    onShelfChanged();
    return result;
  },
});
