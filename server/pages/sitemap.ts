/** Sitemaps (https://www.sitemaps.org/protocol.html): the addresses that search engines may list. */

import { paths, screens } from '../../contract/paths.ts';
import { listPathsOf } from '../catalogue/authors.ts';
import type { BookOfSitemap } from '../catalogue/sitemap-books.ts';
import { dayText } from '../database/times.ts';
import { escapeHtml } from '../http/escape-html.ts';

/** The sitemap of the store's own pages. */
export const pagesFile = 'pages.xml';

/** @param part the number of a part of the books, from 0. */
const fileOf = (part: number): string => `books-${part + 1}.xml`;

/** A number of up to six digits, which suffices for a billion books. */
const partFile = /^books-([1-9]\d{0,5})\.xml$/;

/** @returns the part of the books in a file, or one before the first. */
export const partIn = (file: string): number => Number(partFile.exec(file)?.[1] ?? 0) - 1;

const xmlStart = '<?xml version="1.0" encoding="UTF-8"?>\n';
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

const locationOf = (path: string, publicUrl: URL): string =>
  `<loc>${escapeHtml(new URL(path, publicUrl).href)}</loc>`;

export function renderSitemapIndex(parts: readonly number[], publicUrl: URL): string {
  const entries = [pagesFile, ...parts.map(fileOf)].map(
    (file) => `<sitemap>${locationOf(paths.sitemapPart(file), publicUrl)}</sitemap>\n`,
  );
  return `${xmlStart}<sitemapindex ${namespace}>\n${entries.join('')}</sitemapindex>\n`;
}

/** Lists home and the owner's pages. Other screens need a sign-in, or are listed with the books. */
export const renderPagesSitemap = (pages: readonly { slug: string }[], publicUrl: URL): string =>
  urlSet(urlsOf([screens.home, ...pages.map(({ slug }) => paths.shopPage(slug))], publicUrl));

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
