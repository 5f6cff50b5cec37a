import { ChangeBooks, ChangedBooks } from '../../../contract/desk/changed-books.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { act } from '../../access/act.ts';
import { changeBooks as change } from '../change-books.ts';

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
  async run({ db, actor, onShelfChanged }, { body: { books, change: wanted, dryRun = false } }) {
    const result = await change(db, books, { change: wanted, isDryRun: dryRun }, actor);
    if (!dryRun) onShelfChanged();
    return result;
  },
});
