import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { BookInStock } from '../../../contract/book.ts';
import { coverWords } from '../../../contract/cover-title.ts';
import { screens, withFilters } from '../../../contract/paths.ts';
import { seriesIn, volumeText, withoutSeries } from '../../../contract/series.ts';
import type { Way } from '../../../contract/ways.ts';
import { bookInLists, bookQuery } from '../../api/catalogue.ts';
import { ApiProblem } from '../../api/client.ts';
import { waysOnPagesQuery } from '../../api/orders.ts';
import { useIsPainted } from '../../api/painted-screen.ts';
import { ButtonLink } from '../../components/button.tsx';
import { Cover, Tint } from '../../components/cover.tsx';
import { BesideRows } from '../../components/cover-row/cover-row.tsx';
import { longDays } from '../../components/days.ts';
import { Fact } from '../../components/fact.tsx';
import { TryAgain } from '../../components/fetched.tsx';
import { Lines } from '../../components/lines.tsx';
import { Loading } from '../../components/loading.tsx';
import { Notice } from '../../components/notice.tsx';
import { Price } from '../../components/price.tsx';
import { ScreenHeading } from '../../components/screen-heading.tsx';
import { stockText } from '../../components/stock-text.ts';
import { canShare, share } from '../../memory/platform-later.ts';
import { useBackToShelf } from '../../navigation/back-to-shelf.ts';
import { money, storeConfig } from '../../store-config.ts';
import styles from './book.module.css';

/** The public page of a book, which people share and search engines list. */
export const BookPage = ({ id }: { id: string }) => (
  <main id="content" className={`page tall ${styles.page}`}>
    <BookById id={id} />
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

type BookProps = { book: BookInStock };

const BookShown = ({ book }: BookProps) => (
  <>
    <article className={`rows ${styles.book}`}>
      <Tint book={book} />
      <Cover book={book} isEager isFirst size="large" />
      <div className={`stack loose ${styles.words}`}>
        <header className="stack tight">
          <Links links={subjectLinks(book)} separator=" · " className="soft" />
          <Title book={book} />
          <Links links={authorLinks(book)} separator=", " />
        </header>
        <Purchase book={book} />
      </div>
      <div className="stack">
        <Lines text={book.description} isProse />
        <p className="cluster loose" data-no-print>
          <Link className="linkish soft" {...useBackToShelf()}>
            Back to the shelf
          </Link>
          <Share book={book} />
        </p>
      </div>
      <Facts book={book} />
    </article>
    <div className="stack loose rows" data-no-print>
      <BesideRows bookId={book._id} />
    </div>
  </>
);

type NamedLink = { name: string; href: string };

const subjectLinks = ({ subjects = [] }: BookInStock): NamedLink[] =>
  subjects.map((subject) => ({ name: subject, href: withFilters(screens.home, { subject }) }));

/** A book from a list has no `authors`, so no links. A sold-out book may be its author's only one, who then has no page. */
const authorLinks = ({ author, authors = [{ name: author, slug: '' }], soldOut }: BookInStock): NamedLink[] =>
  authors.map(({ name, slug }) => ({ name, href: soldOut ? '' : slug && screens.author(slug) }));

type LinksProps = { links: NamedLink[]; separator?: string; className?: string };

const Links = ({ links, separator, className = `byline ${styles.author}` }: LinksProps) =>
  links.length > 0 && (
    <p className={className}>
      {links.map(({ name, href }, index) => (
        <span key={name} dir="auto">
          {href ? <Link href={href}>{name}</Link> : name}
          {index < links.length - 1 && separator}
        </span>
      ))}
    </p>
  );

/**
 * The title. Its series is not in brackets but on a line of its own, and its subtitle is smaller. Screen readers read the separator before the
 * subtitle; it is not visible.
 */
const Title = ({ book }: BookProps) => {
  const volume = volumeText(book.series ? book : (seriesIn(book.title) ?? {}));
  const href = book.seriesSlug && !book.soldOut ? screens.series(book.seriesSlug) : '';
  const named = withoutSeries(book.title);
  const { title } = coverWords({ title: named, author: book.author });
  const [sign = ''] = /^\s*[:;,：；]/.exec(named.slice(title.length)) ?? [];
  const subtitle = named.slice(title.length + sign.length);
  return (
    <div
      className={`stack tight ${styles.title}`}
      data-is-long={title.length > 60 || /\S{14}/.test(title)}
      dir="auto"
    >
      <ScreenHeading title={`${book.title} by ${book.author} – ${storeConfig.name}`}>
        {title}
        {sign && <span className="hidden">{sign}</span>}
        {subtitle && <small>{subtitle}</small>}
      </ScreenHeading>
      {volume && <Links links={[{ name: volume, href }]} />}
    </div>
  );
};

/** The price and the button, which are the bar at the bottom of a phone, and how the book comes to its buyer. */
const Purchase = ({ book }: BookProps) => {
  const { data: ways = [] } = useQuery(waysOnPagesQuery);
  const stock = stockText(book);
  return (
    <div className={`cluster ${styles.purchase}`}>
      <div className={`cluster ${styles.bar}`}>
        <p className={styles.price}>
          <Price value={book.price.value} />
        </p>
        {/* A sold-out book is for sale again when the shop has another copy. Back returns the focus to the link with this id. */}
        {!book.soldOut && (
          <ButtonLink id="buy-now" variant="primary" href={screens.checkout(book._id)}>
            BUY NOW
          </ButtonLink>
        )}
      </div>
      <div className={styles.terms}>
        <p className={stock && 'problem'}>{stock ?? 'In stock.'}</p>
        {!book.soldOut && ways.length > 0 && <p dir="auto">{ways.map(wayText).join(' · ')}</p>}
        {!book.soldOut && storeConfig.note && <p>{storeConfig.note}</p>}
      </div>
    </div>
  );
};

const wayText = ({ name, price: { value } }: Way): string =>
  value > 0 ? `${name} ${money.format(value)}` : name;

const Facts = ({ book }: BookProps) => (
  <dl className={`facts ${styles.facts}`}>
    <Fact name="Pages">{book.pages}</Fact>
    <Fact name="Language">{book.languageText}</Fact>
    <Fact name="Published">{book.published && publishedText(book.published)}</Fact>
    <Fact name="Publisher">{book.publisher}</Fact>
    <Fact name="Format">{book.format}</Fact>
    <Fact name="ISBN">{book.isbnText}</Fact>
  </dl>
);

/** @param published a year, or a day such as `1851-10-18`. */
const publishedText = (published: string): string =>
  published.includes('-') ? longDays.format(new Date(`${published}T00:00`)) : published;

/** The share sheet of the device, where the browser has one. The server does not know. */
const Share = ({ book }: BookProps) => {
  const isPainted = useIsPainted();
  return (
    !isPainted &&
    canShare() && (
      <button
        type="button"
        className="linkish soft"
        onClick={() => share(book.title, screens.book(book._id))}
      >
        Share
      </button>
    )
  );
};
