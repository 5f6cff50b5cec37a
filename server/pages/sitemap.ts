/** Sitemaps (https://www.sitemaps.org/protocol.html): the addresses that search engines may list. */

import { paths, screens } from '../../contract/paths.ts';
import { listPathsOf } from '../catalogue/authors.ts';
import type { BookOfSitemap } from '../catalogue/sitemap-books.ts';
import { dayText } from '../database/times.ts';
import { escapeHtml } from '../http/escape-html.ts';

/** `pages`: the sitemap of the store's own pages; otherwise the number of a part of the books, from 0. */
type SitemapPart = 'pages' | number;

const pagesFile = 'pages.xml';
/** A number of up to six digits, which suffices for a billion books. */
const partFile = /^books-([1-9]\d{0,5})\.xml$/;

const fileOf = (part: SitemapPart): string => (part === 'pages' ? pagesFile : `books-${part + 1}.xml`);

export function sitemapPartIn(file: string): SitemapPart | undefined {
  if (file === pagesFile) return 'pages';
  const [, number] = partFile.exec(file) ?? [];
  return number === undefined ? undefined : Number(number) - 1;
}

const xmlStart = '<?xml version="1.0" encoding="UTF-8"?>\n';
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

const locationOf = (path: string, publicUrl: URL): string =>
  `<loc>${escapeHtml(new URL(path, publicUrl).href)}</loc>`;

export function renderSitemapIndex(parts: readonly SitemapPart[], publicUrl: URL): string {
  const entries = parts.map(
    (part) => `<sitemap>${locationOf(paths.sitemapPart(fileOf(part)), publicUrl)}</sitemap>\n`,
  );
  return `${xmlStart}<sitemapindex ${namespace}>\n${entries.join('')}</sitemapindex>\n`;
}

/** Lists home and the owner's pages. Other screens need a sign-in, or are listed with the books. */
export const renderPagesSitemap = (slugs: readonly string[], publicUrl: URL): string =>
  urlSet(urlsOf([screens.home, ...slugs.map(paths.shopPage)], publicUrl));

const urlsOf = (pages: Iterable<string>, publicUrl: URL): string[] =>
  Array.from(pages, (path) => `<url>${locationOf(path, publicUrl)}</url>\n`);

/** The limit of the protocol. */
const maxAddresses = 50_000;

/** Lists the pages of books, and those of their authors and series. */
export function renderBooksSitemap(books: readonly BookOfSitemap[], publicUrl: URL): string {
  const entryOf = ({ id, addedAt }: BookOfSitemap) =>
    `<url>${locationOf(screens.book(id), publicUrl)}<lastmod>${dayText(addedAt)}</lastmod></url>\n`;
  const lists = new Set(books.flatMap(listPathsOf));
  return urlSet([...books.map(entryOf), ...urlsOf(lists, publicUrl)].slice(0, maxAddresses));
}

const urlSet = (entries: readonly string[]): string =>
  `${xmlStart}<urlset ${namespace}>\n${entries.join('')}</urlset>\n`;
