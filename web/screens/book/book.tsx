import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { BookInStock } from '../../../contract/book.ts';
import { screens } from '../../../contract/paths.ts';
import { ApiProblem } from '../../api/client.ts';
import { bookQuery } from '../../api/queries.ts';
import { ButtonLink } from '../../components/button.tsx';
import { Cover } from '../../components/cover.tsx';
import { Frame } from '../../components/frame.tsx';
import { Loading } from '../../components/loading.tsx';
import { NavigationBar } from '../../components/navigation-bar.tsx';
import { Notice } from '../../components/notice.tsx';
import { Price } from '../../components/price.tsx';
import { ScreenHeading } from '../../components/screen-heading.tsx';
import { stockText } from '../../components/stock-text.ts';
import { TryAgain } from '../../components/try-again.tsx';
import { storeConfig } from '../../store-config.ts';
import styles from './book.module.css';

/** The public page of a book, which people share and search engines list. */
export const BookPage = ({ id }: { id: string }) => (
  <>
    <NavigationBar />
    <main className={styles.page}>
      <BookById key={id} id={id} />
    </main>
  </>
);

const BookById = ({ id }: { id: string }): ReactNode => {
  const { data, isPending, error, refetch } = useQuery(bookQuery(id));
  if (isPending) return <Loading />;
  // Before the data: after a failed refetch the query still has a book that was deleted meanwhile.
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
    <ButtonLink href={screens.home}>Back to the shelf</ButtonLink>
  </Notice>
);

const BookShown = ({ book }: { book: BookInStock }) => (
  <article className={styles.book}>
    <div className={styles.cover}>
      <Frame>
        <Cover book={book} isEager isFirst size="large" />
      </Frame>
    </div>
    <div className={styles.words}>
      <div dir="auto">
        <ScreenHeading title={`${book.title} by ${book.author} – ${storeConfig.name}`}>
          {book.title}
        </ScreenHeading>
      </div>
      <p className={styles.author} dir="auto">
        {book.author}
      </p>
      <p className={styles.price}>
        <Price value={book.price.value} />
      </p>
      <Purchase book={book} />
      {book.description && (
        <p className={styles.description} dir="auto">
          {book.description}
        </p>
      )}
      {book.isbnText && <p className={styles.isbn}>ISBN {book.isbnText}</p>}
    </div>
  </article>
);

/** A book that is sold out comes back when the shop has another copy. */
const Purchase = ({ book }: { book: BookInStock }) => {
  const stock = stockText(book);
  return (
    <>
      {stock && <p className={styles.stock}>{stock}</p>}
      {/* The id: Back returns the focus to it. */}
      {!book.soldOut && (
        <ButtonLink id="buy-now" variant="primary" href={screens.checkout(book._id)}>
          BUY NOW
        </ButtonLink>
      )}
    </>
  );
};
