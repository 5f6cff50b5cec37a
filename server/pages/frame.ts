import { paths } from '../../contract/paths.ts';
import { withdrawalPaths } from '../../contract/withdrawal.ts';
import type { CatalogueVersion } from '../database/catalogue-version.ts';
import type { Db } from '../database/tables.ts';
import { escapeHtml } from '../http/escape-html.ts';
import { listPages } from '../shop-pages/shop-pages.ts';
import type { PageFrame } from './page-template.ts';
import type { StoreOnPages } from './store-on-pages.ts';

type FrameParts = { db: Db; catalogueVersion: CatalogueVersion; store: StoreOnPages; days: number };

/** @returns a function that reads what is below every screen, if a page of the shop may have changed. Without the database it is as it was. */
export function openFrame({ db, catalogueVersion, store, days }: FrameParts): () => Promise<PageFrame> {
  const withdrawal = days > 0 ? [linkOf(withdrawalPaths.page, 'Withdraw from contract')] : [];
  let frame = frameOf(store, withdrawal);
  let version = Number.NaN;
  return async () => {
    const current = catalogueVersion.version();
    const pages = current === version ? undefined : await listPages(db).catch(() => undefined);
    if (!pages) return frame;
    const links = pages.map(({ slug, title }) => linkOf(paths.shopPage(slug), title));
    frame = frameOf(store, [...links, ...withdrawal]);
    version = current;
    return frame;
  };
}

const frameOf = ({ name }: StoreOnPages, links: readonly string[]): PageFrame => ({
  foot: links.length === 0 ? '' : `<footer>${links.join(' ')}</footer>`,
  noScript: `<aside class="page">${escapeHtml(name)} shows its shelf and sells its books with JavaScript. Switch it on in your browser’s settings, and open this page again.</aside>`,
});

const linkOf = (path: string, title: string): string =>
  `<a href="${escapeHtml(path)}">${escapeHtml(title)}</a>`;
