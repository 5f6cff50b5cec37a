import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { BookInStock } from '../../../contract/book.ts';
import { coverWords } from '../../../contract/cover-title.ts';
import { screens, withFilters } from '../../../contract/paths.ts';
import { bookInLists, bookQuery } from '../../api/catalogue.ts';
import { ApiProblem } from '../../api/client.ts';
import { ButtonLink } from '../../components/button.tsx';
import { BesideRows } from '../../components/cover-row/cover-row.tsx';
import { Fact } from '../../components/fact.tsx';
import { Lines } from '../../components/lines.tsx';
import { Loading } from '../../components/loading.tsx';
import { Notice } from '../../components/notice.tsx';
import { Price } from '../../components/price.tsx';
import { ScreenHeading } from '../../components/screen-heading.tsx';
import { Stage } from '../../components/stage.tsx';
import { stockText } from '../../components/stock-text.ts';
import { TryAgain } from '../../components/try-again.tsx';
import { useBackToShelf } from '../../navigation/back-to-shelf.ts';
import { storeConfig } from '../../store-config.ts';
import { authorsIn } from './authors-in.ts';
import styles from './book.module.css';

/** The public page of a book, which people share and search engines list. */
export const BookPage = ({ id }: { id: string }) => (
  <main id="content" className={`page ${styles.page}`}>
    <BookById key={id} id={id} />
  </main>
);

const BookById = ({ id }: { id: string }): ReactNode => {
  const queryClient = useQueryClient();
  // If home has shown a list with the book, the page shows it at once, without the details that only this page has.
  const listed = () => bookInLists(queryClient, id);
  const { data, isPending, error, refetch } = useQuery({ ...bookQuery(id), placeholderData: listed });
  if (isPending) return <Loading />;
  // The check comes before the data: after a failed refetch, the query still has a book that was deleted meanwhile.
  if (error instanceof ApiProblem && error.status === 404) return <NoBook />;
  if (data) return <BookShown book={data} />;
  return (
    <>
      <ScreenHeading title={storeConfig.name} isQuiet>
        A book
      </ScreenHeading>
      <TryAgain problem="The book could not be fetched." error={error} onTryAgain={refetch} />
    </>
  );
};

const NoBook = () => (
  <Notice>
    <ScreenHeading title="Page not found">This book is not for sale</ScreenHeading>
    <p>It may be sold or withdrawn, or the address may be mistyped.</p>
    <ButtonLink {...useBackToShelf()}>Back to the shelf</ButtonLink>
  </Notice>
);

const BookShown = ({ book }: { book: BookInStock }) => (
  <>
    <article className={styles.book}>
      <Stage book={book} />
      <div className="stack">
        <header>
          <Title book={book} />
          <p className={`byline ${styles.author}`} dir="auto">
            {authorsIn(book.author).map(({ name, text }) => (
              <span key={text}>
                <Link href={withFilters(screens.home, { q: name })}>{name}</Link>
                {text.slice(name.length)}
              </span>
            ))}
          </p>
        </header>
        <Purchase book={book} />
        {storeConfig.note && <p className="soft">{storeConfig.note}</p>}
        <Lines text={book.description} isProse />
        <Facts book={book} />
        <p data-no-print>
          <Link className="linkish soft" {...useBackToShelf()}>
            Back to the shelf
          </Link>
        </p>
      </div>
    </article>
    <div className="stack loose" data-no-print>
      <BesideRows bookId={book._id} />
    </div>
  </>
);

/** Series and subtitle are smaller. Screen readers read the separator before them; it is not visible. */
const Title = ({ book }: { book: BookInStock }) => {
  const { title } = coverWords(book);
  const [sign = ''] = /^\s*[:;,：；]/.exec(book.title.slice(title.length)) ?? [];
  const rest = book.title.slice(title.length + sign.length);
  return (
    <div className={styles.title} data-is-long={title.length > 40 || /\S{12}/.test(title)} dir="auto">
      <ScreenHeading title={`${book.title} by ${book.author} – ${storeConfig.name}`}>
        {title}
        {sign && <span className="hidden">{sign}</span>}
        {rest && <small>{rest}</small>}
      </ScreenHeading>
    </div>
  );
};

/** The bar at the bottom of a phone. A sold-out book is for sale again when the shop has another copy. */
const Purchase = ({ book }: { book: BookInStock }) => {
  const stock = stockText(book);
  return (
    <div className={`cluster ${styles.purchase}`}>
      <p className={styles.price}>
        <Price value={book.price.value} />
      </p>
      {stock && <p className="problem">{stock}</p>}
      {/* Back returns the focus to the link with this id. */}
      {!book.soldOut && (
        <ButtonLink id="buy-now" variant="primary" href={screens.checkout(book._id)}>
          BUY NOW
        </ButtonLink>
      )}
    </div>
  );
};

const Facts = ({ book: { isbnText, subjects = [] } }: { book: BookInStock }) =>
  isbnText || subjects.length > 0 ? (
    <dl className={`facts flow ${styles.facts}`}>
      <Fact name="ISBN">{isbnText}</Fact>
      <Fact name={subjects.length === 1 ? 'Subject' : 'Subjects'}>
        {subjects.length > 0 &&
          subjects.map((subject, index) => (
            <span key={subject} dir="auto">
              <Link href={withFilters(screens.home, { subject })}>{subject}</Link>
              {index < subjects.length - 1 && ', '}
            </span>
          ))}
      </Fact>
    </dl>
  ) : null;
