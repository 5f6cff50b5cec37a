import { paths } from '../../contract/paths.ts';

/** The beginnings of addresses that no crawler has a use for. */
const withoutPages: readonly string[] = [
  paths.addOrder,
  paths.allOrder(''),
  paths.addBook,
  paths.deleteBook(''),
  paths.restoreBook(''),
  paths.signIn,
  paths.signInCallback,
  paths.signOut,
  paths.backchannelLogout,
  paths.upload,
  paths.health,
  paths.readiness,
  paths.metrics,
  paths.openApi,
  // The first page is what the home screen shows. Searches and later pages are without end.
  `${paths.books}?`,
];

/**
 * @returns `/robots.txt` (RFC 9309). Screens are not in it, nor are the calls that the app makes to show a book: crawlers
 * run the app.
 */
export const robotsText = (publicUrl: URL): string =>
  [
    'User-agent: *',
    ...withoutPages.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${new URL(paths.sitemap, publicUrl).href}`,
    '',
  ].join('\n');
