import type { ShopPage } from '../../contract/desk/shop-pages.ts';
import { paths } from '../../contract/paths.ts';
import type { StoreConfig } from '../../contract/store-config.ts';
import { withdrawalPaths } from '../../contract/withdrawal.ts';
import type { CatalogueVersion } from '../database/catalogue-version.ts';
import type { Db } from '../database/tables.ts';
import { escapeHtml } from '../http/escape-html.ts';
import { listPages } from '../shop-pages/shop-pages.ts';
import { mailtoOf, motto } from './screen-contents.ts';

type FrameParts = { db: Db; catalogueVersion: CatalogueVersion; storeConfig: StoreConfig };

/** @returns a function that reads what is below every screen, if a page of the shop may have changed; while the database is away, it returns the last foot. */
export function openFrame({ db, catalogueVersion, storeConfig }: FrameParts, days: number) {
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

/** The foot says what the shop is, and has its links in groups. A page that the shop lacks has no link; pages of other names stand below `about`. */
function footOf(
  { name, shopEmail }: StoreConfig,
  days: number,
  pages: readonly Pick<ShopPage, 'slug' | 'title'>[],
): string {
  const links = new Map<string, string>([
    ...(days > 0 ? [linkTo(withdrawalPaths.page, 'Withdraw from contract')] : []),
    ...(shopEmail ? [linkTo(mailtoOf(shopEmail), 'Contact', 'contact')] : []),
    linkTo(paths.feed, 'Feed of new books'),
    ...pages.map(({ slug, title }) => linkTo(paths.shopPage(slug), title, slug)),
  ]);
  const groups = {
    Buying: ['delivery', withdrawalPaths.page, 'contact'],
    'The shop': ['about', paths.feed],
    'The law': ['terms', 'privacy', 'imprint'],
  };
  const placed = Object.values(groups).flat();
  groups['The shop'].splice(1, 0, ...[...links.keys()].filter((key) => !placed.includes(key)));
  const lists = Object.entries(groups).map(([label, keys]) => {
    const items = keys.flatMap((key) => links.get(key) ?? []);
    return items.length === 0 ? '' : `<ul aria-label="${label}">${items.join('')}</ul>`;
  });
  return `<footer><div><p>${escapeHtml(name)}</p><p>${motto}</p></div>${lists.join('')}</footer>`;
}

/** @param key for the link's place in the foot: a slug, or an address, which no slug is. */
const linkTo = (address: string, text: string, key = address) =>
  [key, `<li><a href="${escapeHtml(address)}">${escapeHtml(text)}</a></li>`] as const;
