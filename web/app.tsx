import { Route, Router, Switch, useLocation } from 'wouter';
import { FailureBoundary } from './components/failure-boundary.tsx';
import { Screen, screenCode } from './screen.tsx';
import { aroundNav } from './scroll-memory.ts';
import { SignedInOnly } from './signed-in-only.tsx';

const home = screenCode(async () => (await import('./screens/home/home.tsx')).Home);
const login = screenCode(async () => (await import('./screens/login/login.tsx')).Login);
const checkout = screenCode(async () => (await import('./screens/checkout/checkout.tsx')).Checkout);
const orders = screenCode(async () => (await import('./screens/orders/orders.tsx')).Orders);
const admin = screenCode(async () => (await import('./screens/admin/admin.tsx')).Admin);
const notFound = screenCode(async () => (await import('./screens/not-found/not-found.tsx')).NotFound);

export const App = () => (
  <Router aroundNav={aroundNav}>
    <Screens />
  </Router>
);

const Screens = () => {
  const [path] = useLocation();
  return (
    <FailureBoundary key={path}>
      <Switch>
        <Route path="/">
          <Screen code={home}>{(Home) => <Home onCheckoutLikely={checkout.preload} />}</Screen>
        </Route>
        <Route path="/home">
          <Screen code={home}>{(Home) => <Home onCheckoutLikely={checkout.preload} />}</Screen>
        </Route>
        <Route path="/login">
          <Screen code={login}>{(Login) => <Login />}</Screen>
        </Route>
        <Route path="/checkout/:id">
          {({ id }) => (
            <SignedInOnly>
              {(customer) => (
                <Screen code={checkout}>
                  {(Checkout) => <Checkout bookId={decoded(id)} customer={customer} />}
                </Screen>
              )}
            </SignedInOnly>
          )}
        </Route>
        <Route path="/orders">
          <SignedInOnly>
            {(customer) => <Screen code={orders}>{(Orders) => <Orders customer={customer} />}</Screen>}
          </SignedInOnly>
        </Route>
        <Route path="/admin">
          <SignedInOnly>{() => <Screen code={admin}>{(Admin) => <Admin />}</Screen>}</SignedInOnly>
        </Route>
        <Route>
          <Screen code={notFound}>{(NotFound) => <NotFound />}</Screen>
        </Route>
      </Switch>
    </FailureBoundary>
  );
};

/** The parameter as it was before it stood in an address; one that is not well-formed is taken literally. */
const decoded = (parameter: string): string => {
  try {
    return decodeURIComponent(parameter);
  } catch {
    return parameter;
  }
};
