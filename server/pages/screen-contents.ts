/** The content of each screen's page from the server: its head, and the text for a browser without JavaScript. */

import { centsToAmount } from '../../contract/money.ts';
import { paths, screens } from '../../contract/paths.ts';
import type { BookVersion } from '../catalogue/books.ts';
import { escapeHtml } from '../http/escape-html.ts';
import { cardPath } from '../images/cards.ts';
import { renderPage } from '../shop-pages/markdown.ts';
import { bookData, type SaleTerms } from './book-data.ts';
import { type PageHead, plainLine, renderHead, shorten } from './page-head.ts';
import type { PageContent } from './page-template.ts';
import { addressOf, type StoreOnPages } from './store-on-pages.ts';

/** The most letters of each text, about as many as previews show; nearly all titles and authors are shorter. */
const maxShown = { title: 150, author: 100, description: 200 } as const;

export const motto = 'A bookshop: browse the shelf, buy one book at a time, look back at what you bought.';

type PageData = { '@type': string; name: string; description: string };

/** @returns the head of a page that is not about a book, with its data for programs. */
function websiteHead(store: StoreOnPages, path: string, data: PageData, title?: string): string {
  const { name, description } = data;
  const canonical = addressOf(store, path);
  return renderHead({
    title: title ?? `${name} – ${store.name}`,
    ...{ description, isListed: true },
    shared: {
      ...{ canonical, title: name, type: 'website', siteName: store.name },
      image: { address: addressOf(store, '/share.png'), alt: 'An open book, stamped on a cloth binding' },
      data: { ...data, url: canonical },
    },
  });
}

export function home(store: StoreOnPages): PageContent {
  const data = { '@type': 'WebSite', name: store.name, description: motto };
  return { head: websiteHead(store, screens.home, data, 'Home') };
}

export const screen = (title: string, isListed = true): PageContent => ({
  head: renderHead({ title, description: motto, isListed }),
});

export const session = (title: string, isListed = true): PageContent => ({
  ...screen(title, isListed),
  needsSession: true,
});

/** The checkout shows a book too; search engines list the book's own page. */
export function checkout(store: StoreOnPages, book: BookVersion): PageContent {
  const { shared: _, ...head } = bookHead(store, book, { ways: [], withdrawalDays: 0 });
  return { head: renderHead({ ...head, isListed: false }), needsSession: true };
}

export const book = (store: StoreOnPages, book: BookVersion, terms: SaleTerms): PageContent => ({
  head: renderHead(bookHead(store, book, terms)),
});

function bookHead(store: StoreOnPages, book: BookVersion, terms: SaleTerms): PageHead {
  const canonical = addressOf(store, screens.book(book.id));
  const [fullTitle, fullAuthor] = [plainLine(book.title), plainLine(book.author)];
  const title = shorten(fullTitle, maxShown.title);
  const by = `${title} by ${shorten(fullAuthor, maxShown.author)}`;
  const price = centsToAmount(book.priceCents);
  const { description } = book;
  const summary = `${by}, for ${store.money.format(price)} at ${store.name}.`;
  return {
    title: `${by} – ${store.name}`,
    description: description
      ? `${summary} ${shorten(plainLine(description), maxShown.description)}`
      : summary,
    isListed: true,
    shared: {
      canonical,
      title: by,
      type: 'book',
      image: {
        address: new URL(cardPath(book, store.name), store.imageOrigin).href,
        alt: `Cover of ${title}`,
      },
      siteName: store.name,
      data: bookData(store, book, terms),
    },
  };
}

/** @returns the body of a page that is the server's alone. */
const plainBody = ({ name }: StoreOnPages, html: string): string => `
      <header class="cluster bar plain">
        <a class="brand" href="${screens.home}">${escapeHtml(name)}</a>
        <nav class="cluster" aria-label="Store"><a href="${screens.home}">Home</a><a href="${screens.orders}">Orders</a></nav>
        <search><form action="${screens.home}"><input type="search" name="q" aria-label="Title or author" placeholder="Title or author"></form></search>
      </header>
      <main class="page prose">
        ${html}
      </main>
    `;

export function shopPage(store: StoreOnPages, { slug, markdown }: { slug: string; markdown: string }) {
  const { title, html } = renderPage(markdown);
  const description = `${title}: a page of ${store.name}.`;
  const head = websiteHead(store, paths.shopPage(slug), { '@type': 'WebPage', name: title, description });
  return { head, body: plainBody(store, html) };
}

/** @param path of the page of an author or a series. @param name of the author or the series. */
export function list(store: StoreOnPages, path: string, name: string): PageContent {
  const description = `${name}: the books at ${store.name}.`;
  return {
    head: websiteHead(store, path, { '@type': 'CollectionPage', name: plainLine(name), description }),
  };
}

/** The content of a page of the shop while the database is away. */
export const unread: PageContent = {
  ...screen('Not available', false),
  body: '<main class="page prose"><h1>Not available</h1><p>We can’t show this page right now. Please try again in a minute.</p></main>',
};

export const mailtoOf = (email: string): string => `mailto:${encodeURIComponent(email).replace('%40', '@')}`;

/** @param shopEmail the address for customers who cannot sign in. @param days not 0, with which no order can be withdrawn. */
export function withdrawal(store: StoreOnPages, days: number, shopEmail?: string): PageContent {
  const mailto = `${mailtoOf(shopEmail ?? '')}?subject=Withdrawal`;
  const writeTo = shopEmail ? `to <a href="${escapeHtml(mailto)}">${escapeHtml(shopEmail)}</a>` : 'to us';
  const description = `How to take an order back at ${store.name}.`;
  return {
    head: renderHead({ title: 'Withdraw from contract', description, isListed: true }),
    body: plainBody(
      store,
      `<h1>Withdraw from contract</h1>
        <p>You can cancel an order, without giving a reason, until ${days === 1 ? 'one day' : `${days} days`} after we send it.</p>
        <h2>Online</h2>
        <ol>
          <li>Sign in and open <a href="${screens.orders}">Orders</a>.</li>
          <li>Open the order of the book, and press “Withdraw from contract”.</li>
          <li>Check the order and press “Confirm withdrawal”. You need not give a reason.</li>
        </ol>
        <p>You then see when your withdrawal arrived, and the order is marked as withdrawn.</p>
        <h2>By e-mail</h2>
        <p>If you cannot sign in, or the button is not there, write ${writeTo} with your name, the book, and the date or number of the order, and say that you withdraw.</p>
        <h2>What happens next</h2>
        <p>We refund what you paid. If you have the book, send it back to us.</p>`,
    ),
  };
}
