import { useState } from 'react';
import { Brand } from '../../components/brand.tsx';
import { ScreenHeading } from '../../components/screen-heading.tsx';
import { AddBook } from './add-book.tsx';
import styles from './admin.module.css';
import { ManageBooks } from './manage-books.tsx';

const views = ['Manage books', 'Add Book'] as const;

export const Admin = () => {
  const [view, setView] = useState<(typeof views)[number]>('Manage books');
  return (
    <div className={styles.admin}>
      <header className={styles.sidebar}>
        <Brand />
        <nav className={styles.items} aria-label="Catalogue">
          {views.map((item) => (
            <button
              key={item}
              type="button"
              className={styles.item}
              aria-pressed={item === view}
              onClick={() => setView(item)}
            >
              {item}
            </button>
          ))}
        </nav>
      </header>
      <main className={styles.content}>
        <ScreenHeading title="Admin">
          {view === 'Manage books' ? 'The catalogue' : 'A new book'}
        </ScreenHeading>
        {view === 'Manage books' ? <ManageBooks /> : <AddBook />}
      </main>
    </div>
  );
};
