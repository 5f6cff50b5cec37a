import { useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { Book } from '../../../contract/book.ts';
import { screens } from '../../../contract/paths.ts';
import type { BookSearch } from '../../api/catalogue.ts';
import { focusOr } from '../../books/row-focus.ts';
import { Brand } from '../../components/bar.tsx';
import { ScreenHeading } from '../../components/screen-heading.tsx';
import { useBookSearch } from '../../search/book-search.ts';
import { AddBook } from './add-book.tsx';
import styles from './admin.module.css';
import { ManageBooks } from './manage-books.tsx';
import { type Deletion, UndoDeletion } from './undo-deletion.tsx';

const manageBooks = { name: 'Manage books', address: screens.admin };
const addBook = { name: 'Add Book', address: `${screens.admin}?view=add` };

/** The admin screen: a sidebar, and the view that it selects. */
export const Admin = () => {
  const [parameters] = useSearchParams();
  const [, navigate] = useLocation();
  // The view is part of the address, so that a sign-in returns to it.
  const view = parameters.get('view') === 'add' ? addBook : manageBooks;
  const bookSearch = useBookSearch();
  const shownSearch = view === manageBooks ? bookSearch.search : undefined;
  // Here, so that Undo stays when the view changes.
  const [deletion, setDeletion] = useState<Deletion>();
  const [restored, setRestored] = useState<{ book: Book; search: BookSearch }>();
  const offerUndo = (deletion: Deletion) => {
    setRestored(undefined);
    setDeletion(deletion);
  };
  const leaveUndo = (book: Book) => {
    if (shownSearch) setRestored({ book, search: shownSearch });
    else focusOr(null);
  };
  // In the list of a later search the row appears for another reason, and takes no focus.
  const restoredBook = restored?.search === shownSearch ? restored?.book : undefined;
  return (
    <div className={styles.admin}>
      <header className={styles.sidebar}>
        <Brand />
        <nav className={styles.items} aria-label="Catalogue">
          {[manageBooks, addBook].map((item) => (
            <button
              key={item.name}
              type="button"
              className={styles.item}
              aria-pressed={item === view}
              onClick={() => navigate(item.address, { replace: item === view })}
            >
              {item.name}
            </button>
          ))}
        </nav>
      </header>
      <main id="content" className={`page ${styles.content}`}>
        <ScreenHeading title="Admin">{view === manageBooks ? 'The catalogue' : 'A new book'}</ScreenHeading>
        {view === manageBooks ? (
          <ManageBooks bookSearch={bookSearch} restoredBook={restoredBook} onDeleted={offerUndo} />
        ) : (
          <AddBook />
        )}
        <UndoDeletion
          deletion={deletion}
          onLeave={leaveUndo}
          onDone={(done) => setDeletion((latest) => (latest === done ? undefined : latest))}
        />
      </main>
    </div>
  );
};
