import type { ShopPage } from '../../contract/desk/shop-pages.ts';
import { paths } from '../../contract/paths.ts';
import type { StoreConfig } from '../../contract/store-config.ts';
import { withdrawalPaths } from '../../contract/withdrawal.ts';
import type { CatalogueVersion } from '../database/catalogue-version.ts';
import type { Db } from '../database/tables.ts';
import { escapeHtml } from '../http/escape-html.ts';
import { listPages } from '../shop-pages/shop-pages.ts';
import type { PageFrame } from './page-template.ts';
import { mailtoOf, motto } from './screen-contents.ts';

type FrameParts = { db: Db; catalogueVersion: CatalogueVersion; storeConfig: StoreConfig; days: number };

/** @returns a function that reads what is below every screen, if a page of the shop may have changed. Without the database it is as it was. */
export function openFrame({ db, catalogueVersion, storeConfig, days }: FrameParts): () => Promise<PageFrame> {
  const noScript = `<aside class="page">${escapeHtml(storeConfig.name)} shows its shelf and sells its books with JavaScript. Switch it on in your browser’s settings, and open this page again.</aside>`;
  let foot = footOf(storeConfig, days, []);
  let version = Number.NaN;
  return async () => {
    const current = catalogueVersion.version();
    const pages = current === version ? undefined : await listPages(db).catch(() => undefined);
    if (pages) {
      foot = footOf(storeConfig, days, pages);
      version = current;
    }
    return { foot, noScript };
  };
}

type Link = readonly [address: string, text: string];

/** The slugs of pages that have a place of their own at the foot. The others stand below `about`. */
const placed = ['delivery', 'contact', 'about', 'terms', 'privacy', 'imprint'];

/** What the shop is, and its links in groups. A page that it does not have is left out. */
function footOf(
  { name, note, shopEmail }: StoreConfig,
  days: number,
  pages: readonly Pick<ShopPage, 'slug' | 'title'>[],
): string {
  const linkTo = ({ slug, title }: (typeof pages)[number]): Link => [paths.shopPage(slug), title];
  const named = (...slugs: string[]) =>
    slugs.flatMap((slug) => pages.filter((page) => page.slug === slug).map(linkTo));
  const write = shopEmail ? [[mailtoOf(shopEmail), 'Contact'] as const] : [];
  const contact = named('contact');
  const groups: Readonly<Record<string, readonly Link[]>> = {
    Buying: [
      ...named('delivery'),
      ...(days > 0 ? [[withdrawalPaths.page, 'Withdraw from contract'] as const] : []),
      ...(contact.length > 0 ? contact : write),
    ],
    'The shop': [
      ...named('about'),
      ...pages.filter(({ slug }) => !placed.includes(slug)).map(linkTo),
      [paths.feed, 'Feed of new books'],
    ],
    'The law': named('terms', 'privacy', 'imprint'),
  };
  const lists = Object.entries(groups)
    .filter(([, links]) => links.length > 0)
    .map(([label, links]) => `<ul aria-label="${label}">${links.map(itemOf).join('')}</ul>`);
  const words = [motto, ...(note ? [note] : [])].map((text) => `<p>${escapeHtml(text)}</p>`);
  return `<footer><div><p>${escapeHtml(name)}</p>${words.join('')}</div>${lists.join('')}</footer>`;
}

const itemOf = ([address, text]: Link): string =>
  `<li><a href="${escapeHtml(address)}">${escapeHtml(text)}</a></li>`;
