/** The text of each screen's page before the app runs: its head, and its text for a browser without JavaScript. */

import { centsToAmount } from '../../contract/money.ts';
import { screens } from '../../contract/paths.ts';
import { formatPrice } from '../../contract/price.ts';
import { withdrawalPaths } from '../../contract/withdrawal.ts';
import { stockOf } from '../catalogue/book-response.ts';
import type { BookForSale, BookVersion } from '../catalogue/books.ts';
import { hyphenateIsbn } from '../catalogue/hyphenate-isbn.ts';
import { escapeHtml } from '../http/escape-html.ts';
import { cardPath, drawnCoverPath } from '../images/cards.ts';
import { type PageHead, plainLine, renderHead, shorten } from './page-head.ts';
import type { PageContent } from './page-template.ts';

/** The store as its pages name it. */
export type StoreOnPages = {
  name: string;
  /** The address at which browsers open the store: absolute addresses are built from it. */
  publicUrl: URL;
  /** The origin that the store's own images have. */
  imageOrigin: string;
};

/** In letters: as much as previews show, and more than nearly every title and author have. */
const maxShown = { title: 150, author: 100, description: 200 } as const;

const motto = 'A bookshop: browse the shelf, buy one book at a time, look back at what you bought.';
const sharePicture = '/share.png';

/** @returns the content of the home screen, without its books. */
export function homeContent(store: StoreOnPages): PageContent {
  const canonical = addressOf(store, screens.home);
  return pageContent(store, {
    title: 'Home',
    description: motto,
    isListed: true,
    shared: {
      canonical,
      title: store.name,
      type: 'website',
      image: storePicture(store),
      siteName: store.name,
      data: { '@type': 'WebSite', name: store.name, description: motto, url: canonical },
    },
  });
}

/** @returns the content of the home screen, with books for a reader without JavaScript. */
export const withBooks = (
  store: StoreOnPages,
  content: PageContent,
  books: readonly BookForSale[],
): PageContent => ({
  ...content,
  noScriptBelow: below(
    `<section class="no-script-shelf" aria-labelledby="no-script-shelf">
      <h2 id="no-script-shelf">On the shelf</h2>
      <ul>
        ${books.map(listedBook).join('\n        ')}
      </ul>
      ${noteOf(store)}
    </section>`,
  ),
});

const listedBook = ({ id, title, author, priceCents }: BookForSale): string => {
  const name = escapeHtml(plainLine(title));
  return `<li>
          <a href="${screens.book(id)}" dir="auto">${name}</a>
          <span dir="auto">${escapeHtml(plainLine(author))}</span>
          <span>${formatPrice(centsToAmount(priceCents))}</span>
          <a href="${screens.checkout(id)}" aria-label="BUY NOW: ${name}">BUY NOW</a>
        </li>`;
};

export const loginContent = (store: StoreOnPages): PageContent =>
  pageContent(store, { title: 'Login', description: motto, isListed: true });

/** @returns the content of a screen that needs a session. */
export function sessionContent(store: StoreOnPages, title: string, isListed = true): PageContent {
  const { noScriptBelow: _, ...content } = pageContent(store, { title, description: motto, isListed });
  return content;
}

/** How customers may take an order back. */
type WithdrawalTerms = {
  /** For so many days after it was sent; 0: not at all. */
  days: number;
  /** Where they write who cannot sign in. */
  shopEmail: string | undefined;
};

/** @returns the link below every screen; nothing where no order can be taken back. */
export const footOf = ({ days }: WithdrawalTerms): string =>
  days > 0 ? `<footer><a href="${withdrawalPaths.page}">Withdraw from contract</a></footer>` : '';

/** @returns the content of the page that explains how to take an order back. */
export function withdrawalContent(store: StoreOnPages, { days, shopEmail }: WithdrawalTerms): PageContent {
  const mailto = `mailto:${encodeURIComponent(shopEmail ?? '').replace('%40', '@')}?subject=Withdrawal`;
  const writeTo = shopEmail ? `to <a href="${escapeHtml(mailto)}">${escapeHtml(shopEmail)}</a>` : 'to us';
  return {
    head: renderHead({
      title: 'Withdraw from contract',
      description: `How to take an order back at ${store.name}.`,
      isListed: true,
    }),
    isStatic: true,
    noScript: frame(
      store,
      `<h1>Withdraw from contract</h1>
        <p>You can cancel an order, without giving a reason, until ${days === 1 ? 'one day' : `${days} days`} after we send it.</p>
        <h2>Online</h2>
        <ol>
          <li>Sign in and open <a href="${screens.orders}">Orders</a>.</li>
          <li>Press “Withdraw from contract” at the book.</li>
          <li>Check the order and press “Confirm withdrawal”. You need not give a reason.</li>
        </ol>
        <p>You then see when your withdrawal arrived, and the order is marked as withdrawn.</p>
        <h2>By e-mail</h2>
        <p>If you cannot sign in, or the button is not there, write ${writeTo} with your name, the book, and the date or number of the order, and say that you withdraw.</p>
        <h2>What happens next</h2>
        <p>We refund what you paid. If you have the book, send it back to us.</p>`,
      'text',
    ),
  };
}

/** @returns the content of each screen of the desk, which search engines have no use for. */
export const deskContent = (store: StoreOnPages): PageContent => sessionContent(store, 'Desk', false);

/** @returns the content of a page for an address that has none, or no longer. */
export const missingContent = (store: StoreOnPages): PageContent =>
  pageContent(
    store,
    { title: 'Not found', description: motto, isListed: false },
    `<h1>We can’t find that page</h1>
        <p>The link may be old or mistyped. <a href="${screens.home}">Back to the shelf</a></p>`,
  );

/** @returns the content of a book's page when the lookup failed. The book may be for sale, so search engines may list the page. */
export const unnamedBookContent = (store: StoreOnPages): PageContent =>
  pageContent(store, { title: store.name, description: motto, isListed: true });

/** @returns the content of a checkout when the lookup of its book failed. */
export const unnamedCheckoutContent = (store: StoreOnPages): PageContent =>
  pageContent(store, { title: 'Check Out', description: motto, isListed: false });

/** @returns the content of the checkout of a book: it shows the book, and search engines list the book's own page. */
export function checkoutContent(store: StoreOnPages, book: BookVersion): PageContent {
  const { shared: _, ...head } = bookHead(store, book);
  return { head: renderHead({ ...head, isListed: false }), noScript: bookNoScript(store, book) };
}

/** @returns the content of the page of a book, which people share. */
export const bookContent = (store: StoreOnPages, book: BookVersion): PageContent => ({
  head: renderHead(bookHead(store, book)),
  noScript: bookNoScript(store, book),
  noScriptBelow: below(`<aside>${noteOf(store)}</aside>`),
});

function bookHead(store: StoreOnPages, book: BookVersion): PageHead {
  const canonical = addressOf(store, screens.book(book.id));
  const [fullTitle, fullAuthor] = [plainLine(book.title), plainLine(book.author)];
  const title = shorten(fullTitle, maxShown.title);
  const author = shorten(fullAuthor, maxShown.author);
  const price = formatPrice(centsToAmount(book.priceCents));
  const cover = coverOf(book, store);
  const { isbn, description } = book;
  const summary = `${title} by ${author}, for ${price} at ${store.name}.`;
  return {
    title: `${title} by ${author} – ${store.name}`,
    description: description
      ? `${summary} ${shorten(plainLine(description), maxShown.description)}`
      : summary,
    isListed: true,
    shared: {
      canonical,
      title: `${title} by ${author}`,
      type: 'book',
      image: {
        address: new URL(cardPath(book, store.name), store.imageOrigin).href,
        alt: `Cover of ${title}`,
      },
      siteName: store.name,
      data: {
        // Search engines read offers of a product, and authors and ISBNs of a book.
        '@type': ['Product', 'Book'],
        name: fullTitle,
        author: { '@type': 'Person', name: fullAuthor },
        image: cover,
        ...(description ? { description } : {}),
        ...(isbn ? { isbn, gtin13: isbn } : {}),
        sku: book.id,
        url: canonical,
        offers: {
          '@type': 'Offer',
          price: centsToAmount(book.priceCents).toFixed(2),
          priceCurrency: 'USD',
          availability: `https://schema.org/${stockOf(book).soldOut ? 'OutOfStock' : 'InStock'}`,
          url: canonical,
          seller: { '@type': 'BookStore', name: store.name, url: addressOf(store, screens.home) },
        },
      },
    },
  };
}

function bookNoScript(store: StoreOnPages, book: BookVersion): string {
  const shown = [
    `<img src="${escapeHtml(coverOf(book, store))}" alt="" width="160" height="240" />`,
    `<h1 dir="auto">${escapeHtml(plainLine(book.title))}</h1>`,
    `<p dir="auto">${escapeHtml(plainLine(book.author))}</p>`,
    `<p>${formatPrice(centsToAmount(book.priceCents))}</p>`,
    ...(stockOf(book).soldOut ? ['<p>Sold out</p>'] : []),
    ...(book.isbn ? [`<p>ISBN ${hyphenateIsbn(book.isbn)}</p>`] : []),
    ...(book.description
      ? [`<p class="no-script-description" dir="auto">${escapeHtml(book.description)}</p>`]
      : []),
  ];
  return noScriptText(store, shown.join('\n        '));
}

/** @returns the absolute address of the cover; of the one that the store draws, for a book without another. */
export const coverOf = (
  book: Pick<BookVersion, 'id' | 'title' | 'author' | 'image'>,
  { imageOrigin }: StoreOnPages,
): string =>
  new URL(
    book.image && URL.canParse(book.image, imageOrigin) ? book.image : drawnCoverPath(book),
    imageOrigin,
  ).href;

export const addressOf = ({ publicUrl }: StoreOnPages, path: string): string => new URL(path, publicUrl).href;

const storePicture = (store: StoreOnPages) => ({
  address: addressOf(store, sharePicture),
  alt: 'An open book, stamped on a cloth binding',
});

const pageContent = (store: StoreOnPages, head: PageHead, shown?: string): PageContent => ({
  head: renderHead(head),
  noScript: noScriptText(store, shown),
  noScriptBelow: below(`<aside>${noteOf(store)}</aside>`),
});

/**
 * @param shown HTML: what the page is about.
 * @returns the page that a browser without JavaScript shows. Its style sheet is a separate file, because only such a browser
 * needs it, and the policy of the pages allows no style within a page.
 */
const noScriptText = (store: StoreOnPages, shown = '<h1>This shop needs JavaScript</h1>'): string =>
  frame(
    store,
    `${shown}
        ${noteOf(store)}`,
  );

const noteOf = ({ name }: StoreOnPages): string =>
  `<p class="no-script-note">${escapeHtml(name)} shows its shelf and sells its books with JavaScript. Switch it on in your browser’s settings, and open this page again.</p>`;

const styleSheet = '<link rel="stylesheet" href="/no-script.css" />';

/** @returns HTML below a painted screen. */
const below = (shown: string): string => `
      ${styleSheet}
      <div class="no-script">${shown}</div>
    `;

/** @param shape `text` for what is read from line to line; otherwise it stands in the middle of the page. */
const frame = ({ name }: StoreOnPages, shown: string, shape?: 'text'): string => `
      ${styleSheet}
      <div class="no-script">
      <header><a href="${screens.home}">${escapeHtml(name)}</a></header>
      <main${shape ? ` class="${shape}"` : ''}>
        ${shown}
      </main>
      </div>
    `;
