import { useLocation, useSearchParams } from 'wouter';
import { screens } from '../../../contract/paths.ts';
import { Brand } from '../../components/bar.tsx';
import { Notices } from '../../components/notify.tsx';
import { ScreenHeading } from '../../components/screen-heading.tsx';
import side from '../../components/side-column.module.css';
import { AddBook } from './add-book.tsx';
import styles from './admin.module.css';
import { ManageBooks } from './manage-books.tsx';

const manageBooks = { name: 'Manage books', address: screens.admin };
const addBook = { name: 'Add Book', address: `${screens.admin}?view=add` };

export const Admin = () => {
  const [parameters] = useSearchParams();
  const [, navigate] = useLocation();
  // The view is part of the address, so that a sign-in returns to it.
  const view = parameters.get('view') === 'add' ? addBook : manageBooks;
  return (
    <div className={`fill ${side.frame}`} data-no-foot="">
      <header className={`cluster ${side.column}`}>
        <Brand />
        <nav aria-label="Catalogue">
          {[manageBooks, addBook].map((item) => (
            <button
              key={item.name}
              type="button"
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
        {view === manageBooks ? <ManageBooks /> : <AddBook />}
        <Notices />
      </main>
    </div>
  );
};
