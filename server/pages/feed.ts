/** The feed of new books: Atom (RFC 4287), for news readers, and OPDS 1.2 (https://specs.opds.io/opds-1.2), for readers of catalogues. */

import { centsToAmount } from '../../contract/money.ts';
import { paths, screens } from '../../contract/paths.ts';
import { isUuid } from '../../contract/uuid.ts';
import type { NewBook } from '../catalogue/newest-books.ts';
import { timeText } from '../database/times.ts';
import { escapeHtml } from '../http/escape-html.ts';
import { cardPath } from '../images/cards.ts';
import { plainLine } from './page-head.ts';
import { addressOf, coverOf, type StoreOnPages } from './store-on-pages.ts';

/** The media type of an acquisition feed in OPDS (section 7.1.3). */
export const feedType = 'application/atom+xml;profile=opds-catalog;kind=acquisition;charset=utf-8';
const linkType = feedType.replace(';charset=utf-8', '');

/** Makes the feed without the current time: the same books have the same ETag on every node. */
export function renderFeed(books: readonly NewBook[], store: StoreOnPages): string {
  const address = addressOf(store, paths.feed);
  const name = escapeHtml(lineOf(store.name));
  const updatedAt = Math.max(0, ...books.map(updatedAtOf));
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/terms/" xmlns:opds="http://opds-spec.org/2010/catalog">
<id>${escapeHtml(address)}</id>
<title>${name}: new books</title>
<updated>${timeText(updatedAt)}</updated>
<author><name>${name}</name><uri>${escapeHtml(addressOf(store, screens.home))}</uri></author>
${link('self', address, linkType)}
${link('start', address, linkType)}
${link('alternate', addressOf(store, screens.home), 'text/html')}
${books.map((book) => entryOf(book, store)).join('')}</feed>
`;
}

function entryOf(book: NewBook, store: StoreOnPages): string {
  const [title, author] = [lineOf(book.title), lineOf(book.author)];
  const { money } = store;
  const amount = centsToAmount(book.priceCents);
  const lines = (book.description ?? '').split(/\n+/).map(lineOf);
  const shown = [
    `<p><img src="${escapeHtml(coverOf(book, store))}" alt="" /></p>`,
    `<p>${escapeHtml(author)}</p>`,
    `<p>${money.format(amount)}</p>`,
    ...lines.flatMap((line) => (line === '' ? [] : `<p>${escapeHtml(line)}</p>`)),
  ];
  return `<entry>
<id>${escapeHtml(isUuid(book.id) ? `urn:uuid:${book.id}` : addressOf(store, screens.book(book.id)))}</id>
<title>${escapeHtml(title)}</title>
<author><name>${escapeHtml(author)}</name></author>
<published>${timeText(book.addedAt)}</published>
<updated>${timeText(updatedAtOf(book))}</updated>
${book.isbn ? `<dc:identifier>urn:isbn:${book.isbn}</dc:identifier>\n` : ''}${link('alternate', addressOf(store, screens.book(book.id)), 'text/html')}
<link rel="http://opds-spec.org/acquisition/buy" href="${escapeHtml(addressOf(store, screens.checkout(book.id)))}" type="text/html"><opds:price currencycode="${money.currency}">${money.write(amount)}</opds:price></link>
${imageLinkOf(book, store)}<content type="html">${escapeHtml(shown.join(''))}</content>
</entry>
`;
}

const updatedAtOf = ({ addedAt, changedAt }: NewBook): number => changedAt ?? addedAt;

const link = (rel: string, href: string, type: string): string =>
  `<link rel="${rel}" href="${escapeHtml(href.replace(strayPercent, '%25'))}" type="${type}" />`;

/** Replaces characters that browsers accept in an address, but that a feed reader with a schema refuses. */
const strayPercent = /%(?![0-9a-f]{2})/gi;

/** The image types that OPDS allows (section 5.2.2). */
const imageTypes: Readonly<Record<string, string>> = {
  ...{ gif: 'image/gif', jpeg: 'image/jpeg', jpg: 'image/jpeg', png: 'image/png' },
};

/** OPDS does not allow WebP, the format of the store's pictures: the feed has their cards, which are JPEG. Other pictures are not checked. */
function imageLinkOf(book: NewBook, store: StoreOnPages): string {
  const cover = new URL(coverOf(book, store));
  const type = imageTypes[/\.([a-z]+)$/.exec(cover.pathname.toLowerCase())?.[1] ?? ''];
  const rel = 'http://opds-spec.org/image';
  if (type) return `${link(rel, cover.href, type)}\n`;
  const { origin, href } = new URL(cardPath(book, store.name), store.imageOrigin);
  return cover.origin === origin ? `${link(rel, href, 'image/jpeg')}\n` : '';
}

/** Characters that XML 1.0 forbids, also as references (section 2.2): a reader would refuse the whole feed. */
const forbiddenInXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const lineOf = (text: string): string => plainLine(text.replace(forbiddenInXml, ''));
