/** The route table: each address of a screen, with the chunk that holds its code. */
import { type ComponentType, useEffect } from 'react';
import { Route, Router, Switch, useLocation } from 'wouter';
import type { BookFilters } from '../contract/book-search.ts';
import { screens } from '../contract/paths.ts';
import type { SignedIn } from '../contract/session.ts';
import { Header } from './components/bar.tsx';
import { SkipLink } from './components/skip-link.tsx';
import { aroundNav } from './list/places.ts';
import { attempt } from './memory/platform.ts';
import { ErrorBoundary } from './navigation/error-boundary.tsx';
import { LazyScreen, type ScreenChunk, screenChunk } from './navigation/lazy-screen.tsx';
import { SignedInOnly } from './navigation/signed-in-only.tsx';
import { Home } from './screens/home/home.tsx';
import { addressOf, useBookSearch } from './search/book-search.ts';
import { SearchField } from './search/search-field.tsx';

type ById = { id: string };

/** Makes a screen one of signed-in customers. */
const forCustomers = (Screen: ComponentType<ById & { customer: SignedIn }>) => (props: ById) => (
  <SignedInOnly>{(customer) => <Screen {...props} customer={customer} />}</SignedInOnly>
);

/** The screens, by the name of their folder. */
export const chunks = {
  results: screenChunk<{ named?: BookFilters }>(
    async () => (await import('./screens/results/results.tsx')).Results,
  ),
  book: screenChunk(async () => (await import('./screens/book/book.tsx')).BookPage),
  login: screenChunk<ById>(async () => (await import('./screens/login/login.tsx')).Login),
  checkout: screenChunk(async () => forCustomers((await import('./screens/checkout/checkout.tsx')).Checkout)),
  orders: screenChunk(async () => forCustomers((await import('./screens/orders/orders.tsx')).Orders)),
  admin: screenChunk(async () => forCustomers((await import('./screens/admin/admin.tsx')).Admin)),
  'not-found': screenChunk<ById>(async () => (await import('./screens/not-found/not-found.tsx')).NotFound),
};
const { results, book, login, checkout, orders, admin, 'not-found': notFound } = chunks;

/** Loads the chunk of a screen, by its name. @returns whether it is loaded. */
export const loadChunk = async (name: string): Promise<boolean> => {
  const chunk = Object.hasOwn(chunks, name) ? chunks[name as keyof typeof chunks] : undefined;
  await chunk?.preload();
  return chunk?.component !== undefined;
};

/** Loads the screens that visitors go to next, by the search, a card or a cover. A visitor signs in on the way to the checkout. */
export const preloadScreens = (): void => {
  for (const chunk of [book, results, checkout, login]) void chunk.preload();
};

/** The address to render, when the server renders. */
type AppProps = { ssrPath?: string; ssrSearch?: string };

export const App = (address: AppProps) => (
  <Router aroundNav={aroundNav} {...address}>
    <SkipLink />
    <Header>
      <SearchField isOfShop />
    </Header>
    <Screens />
  </Router>
);

const Screens = () => {
  const [path] = useLocation();
  useCanonicalAddress(path);
  return (
    <ErrorBoundary key={path}>
      <Switch>
        <Route path={screens.home} component={Shelf} />
        <Route path={screens.homeAlias} component={Shelf} />
        <Route path={screens.book.pattern}>{shown(book)}</Route>
        <Route path={screens.author.pattern}>
          {({ id }) => <LazyScreen chunk={results} props={{ named: { author: decode(id) } }} />}
        </Route>
        <Route path={screens.series.pattern}>
          {({ id }) => <LazyScreen chunk={results} props={{ named: { series: decode(id) } }} />}
        </Route>
        <Route path={screens.login}>{shown(login)}</Route>
        <Route path={screens.checkout.pattern}>{shown(checkout)}</Route>
        <Route path={screens.orders}>{shown(orders)}</Route>
        <Route path={screens.order.pattern}>{shown(orders)}</Route>
        <Route path={screens.admin}>{shown(admin)}</Route>
        <Route>{shown(notFound)}</Route>
      </Switch>
    </ErrorBoundary>
  );
};

const Shelf = () => {
  const { search } = useBookSearch();
  return addressOf('', search) === '' ? <Home /> : <LazyScreen chunk={results} props={{}} />;
};

const shown =
  (chunk: ScreenChunk<ById>) =>
  ({ id = '' }: { id?: string }) => <LazyScreen chunk={chunk} props={{ id: decode(id) }} />;

/** Undoes the percent-encoding of a parameter; one that is not well-formed is taken as it is. */
const decode = (parameter: string): string => attempt(() => decodeURIComponent(parameter)) ?? parameter;

/**
 * Sets the page's canonical address, which browsers share and search engines list, to that of the screen at this path. A page without a
 * canonical address keeps none. A checkout has the address of its book's page, and the login keeps that of the screen that it leads back
 * to.
 */
const useCanonicalAddress = (path: string): void => {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="canonical"]');
    if (!link || path === screens.login) return;
    const address =
      path === screens.homeAlias ? screens.home : path.replace(screens.checkout(''), screens.book(''));
    // The server's canonical address has the public origin of the store, which may differ from this page's origin.
    if (new URL(link.href).pathname !== address) link.href = new URL(address, link.href).href;
  }, [path]);
};
