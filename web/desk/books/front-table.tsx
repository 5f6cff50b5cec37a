import { useQuery } from '@tanstack/react-query';
import type { DeskBook } from '../../../contract/desk/books.ts';
import type { FrontTable, FrontWords } from '../../../contract/desk/front-table.ts';
import { maxFrontWords, maxOnFrontTable } from '../../../contract/front-limits.ts';
import { BookCell } from '../../components/book-cell.tsx';
import { Fetched } from '../../components/fetched.tsx';
import { ActButton, ActTick } from '../acts.tsx';
import { EditForm } from '../edit-form.tsx';
import { Panel } from '../panel.tsx';
import { editFrontTable, frontTable, setOnFrontTable } from './api.ts';

/** The panel's id in the desk's address. No book has it: ids have letters, digits, `-` and `_` alone. */
export const frontTableId = '*';

export const FrontTablePanel = ({ onClose }: { onClose: () => void }) => (
  <Panel heading="Front table" onClose={onClose}>
    <Fetched query={useQuery(frontTable)} problem="The front table could not be fetched.">
      {(table) => (
        <>
          <p>What a visitor sees first on the home screen: a heading, a sentence or two, and a few covers.</p>
          <EditForm
            fields={wordsFields}
            values={table}
            save={saveWords}
            problem="The words were not saved."
            onDone={onClose}
          />
          <BooksOnTable books={table.books} />
        </>
      )}
    </Fetched>
  </Panel>
);

const wordsFields = [
  { name: 'heading', label: 'Heading', placeholder: 'The shop’s own', maxLength: maxFrontWords.heading },
  { name: 'words', label: 'A sentence or two', maxLength: maxFrontWords.words },
] as const;

const saveWords = async (words: FrontWords) => {
  await editFrontTable(words);
  return { text: 'Saved the words of the front table.' };
};

const BooksOnTable = ({ books }: Pick<FrontTable, 'books'>) => {
  if (books.length === 0) {
    return (
      <p className="soft">
        No book is on it: the shop shows its newest ones. Tick “On the front table” where you edit a book, for
        up to {maxOnFrontTable}.
      </p>
    );
  }
  return (
    <ul className="ruled" aria-label="Books on the front table">
      {books.map((book) => (
        <li key={book._id} className="cluster ends">
          <BookCell book={book} />
          <ActButton
            name="Remove"
            what={book.title}
            run={() => put(book, false)}
            problem="The book was not taken off."
          />
        </li>
      ))}
    </ul>
  );
};

/** Puts a book on the front table, or takes it off, at once: this checkbox is not saved with the fields. */
export const FrontTableTick = ({ book }: { book: DeskBook }) => {
  const isOn = book.onFrontTable ?? false;
  return (
    <ActTick
      name="On the front table"
      isSet={isOn}
      run={() => put(book, !isOn)}
      problem="The front table was not changed."
    />
  );
};

const put = async ({ _id, title }: Pick<DeskBook, '_id' | 'title'>, isOn: boolean) => {
  const set = async (isNowOn: boolean) => {
    await setOnFrontTable(_id, isNowOn);
    return `${title} is ${isNowOn ? 'on' : 'off'} the front table.`;
  };
  return { text: await set(isOn), undo: () => set(!isOn) };
};
