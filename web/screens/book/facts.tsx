import { Link } from 'wouter';
import type { BookInStock } from '../../../contract/book.ts';
import { Fact } from '../../components/fact.tsx';
import styles from './book.module.css';
import { shelfWith } from './shelf-links.ts';

/** The facts that the shop knows of a book besides its words; nothing for a book of which it knows no more. */
export const Facts = ({ book: { isbnText, subjects = [] } }: { book: BookInStock }) =>
  isbnText || subjects.length > 0 ? (
    <dl className={`facts flow ${styles.facts}`}>
      {isbnText && <Fact name="ISBN">{isbnText}</Fact>}
      {subjects.length > 0 && (
        <Fact name={subjects.length === 1 ? 'Subject' : 'Subjects'}>
          {subjects.map((subject, index) => (
            <span key={subject} dir="auto">
              <Link href={shelfWith({ subject })}>{subject}</Link>
              {index < subjects.length - 1 && ', '}
            </span>
          ))}
        </Fact>
      )}
    </dl>
  ) : null;
