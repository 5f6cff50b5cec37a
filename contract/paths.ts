/** Every address of the store, each written once: the server registers the pattern, the browser fills it in. */

export type PathWithParameter<Pattern extends string = string> = ((value: string) => string) & {
  pattern: Pattern;
};

export function withParameter<Pattern extends string>(pattern: Pattern): PathWithParameter<Pattern> {
  const fillIn = (value: string) => pattern.replace(/:\w+/, () => encodeURIComponent(value));
  return Object.assign(fillIn, { pattern });
}

/** Parameters of an address, by name; empty ones are left out. */
export type Filters = Readonly<Record<string, string>>;

export const withFilters = (path: string, filters: Filters): string => {
  const parameters = new URLSearchParams(Object.entries(filters).filter(([, value]) => value));
  return `${parameters}` ? `${path}?${parameters}` : path;
};

/** A pattern for routers: a parameter matches one segment, `*` matches anything. */
export const parsePattern = (pattern: string): { keys: string[]; pattern: RegExp } => ({
  keys: [...pattern.matchAll(/:(\w+)/g)].map(([, key = '']) => key),
  pattern: new RegExp(`^${pattern.replaceAll('*', '.*').replace(/:\w+/g, '([^/]+)')}$`),
});

/** The screens of the spec's section 2, and the pages of a book, an author, a series and an order. */
export const screens = {
  home: '/',
  homeAlias: '/home',
  book: withParameter('/books/:id'),
  author: withParameter('/authors/:id'),
  series: withParameter('/series/:id'),
  login: '/login',
  checkout: withParameter('/checkout/:id'),
  orders: '/orders',
  order: withParameter('/orders/:id'),
  admin: '/admin',
} as const;

export const screenPatterns: readonly string[] = Object.values(screens).map((screen) =>
  typeof screen === 'string' ? screen : screen.pattern,
);

/** The calls of the spec's section 7, and the store's own. `/book/:id` is the call, `/books/:id` the page. */
export const paths = {
  books: '/books',
  front: '/front',
  suggest: '/suggest',
  book: withParameter('/book/:id'),
  beside: withParameter('/books/:id/beside'),
  ways: '/ways',
  addOrder: '/addOrder',
  allOrder: withParameter('/allOrder/:email'),
  order: withParameter('/order/:id'),
  addBook: '/addBook',
  deleteBook: withParameter('/deleteBook/:id'),
  restoreBook: withParameter('/restoreBook/:id'),
  session: '/auth/session',
  address: '/auth/address',
  signIn: '/auth/sign-in',
  signInCallback: '/auth/callback',
  signInPopupScript: '/auth/popup.js',
  signOut: '/auth/sign-out',
  backchannelLogout: '/auth/backchannel-logout',
  upload: '/1/upload',
  imageHostKey: '/imageHostKey',
  image: withParameter('/images/:file'),
  card: withParameter('/cards/:file'),
  health: '/healthz',
  readiness: '/readyz',
  metrics: '/metrics',
  vitals: '/vitals',
  openApi: '/openapi.json',
  docs: '/docs',
  securityContact: '/.well-known/security.txt',
  robots: '/robots.txt',
  sitemap: '/sitemap.xml',
  sitemapPart: withParameter('/sitemaps/:file'),
  manifest: '/manifest.webmanifest',
  feed: '/feed.atom',
  shopPage: withParameter('/pages/:id'),
} as const;
