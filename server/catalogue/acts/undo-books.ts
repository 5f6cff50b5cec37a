import { fieldsByName } from '../../../contract/book-fields.ts';
import { ChangedBooks, UndoBooks } from '../../../contract/desk/changed-books.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { maxPageSize } from '../../../contract/next-page.ts';
import { act } from '../../access/act.ts';
import { undoBooks as undo } from '../change-books.ts';

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
  // Room for the keywords of so many books, in up to three bytes a letter.
  bodyLimit: maxPageSize * (fieldsByName.keywords.maxLength * 3 + 200),
  async run({ db, actor, onShelfChanged }, { body }) {
    const result = await undo(db, body.books, actor);
    onShelfChanged();
    return result;
  },
});
