import { useQuery } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { type AroundNavHandler, Router, useLocation } from 'wouter';
import {
  type DeskView,
  deskPaths,
  deskScreens,
  deskViewAddress,
  deskViews,
} from '../../contract/desk/paths.ts';
import type { OrderCounts } from '../../contract/desk/today.ts';
import { screens, withFilters } from '../../contract/paths.ts';
import type { SignedIn } from '../../contract/session.ts';
import { read } from '../api/calls.ts';
import { ApiProblem } from '../api/client.ts';
import { Brand, Visitor } from '../components/bar.tsx';
import { ButtonLink } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import { Notices } from '../components/notify.tsx';
import { ScreenHeading } from '../components/screen-heading.tsx';
import side from '../components/side-column.module.css';
import { SkipLink } from '../components/skip-link.tsx';
import { aroundNav } from '../list/places.ts';
import { ErrorBoundary } from '../navigation/error-boundary.tsx';
import { SignedInOnly } from '../navigation/signed-in-only.tsx';
import { Activity } from './activity/activity.tsx';
import { Books } from './books/books.tsx';
import { Customers } from './customers/customers.tsx';
import styles from './desk.module.css';
import { DeskNav, GoTo } from './desk-nav.tsx';
import { Import } from './import/import.tsx';
import { Orders } from './orders/orders.tsx';
import { Mail, Webhooks } from './outbox/outbox.tsx';
import { Pages } from './pages/pages.tsx';
import { Sales } from './sales/sales.tsx';
import { Today } from './today/today.tsx';
import { Ways } from './ways/ways.tsx';

let isLeaving = false;

// Back may restore the page from the browser's cache, with the old value of this variable.
window.addEventListener('pageshow', () => {
  isLeaving = false;
});

/**
 * Loads an address outside the desk as a page. Only the first such navigation counts: a sign-out goes home, and then the end of its session
 * would go to the login.
 */
const onTheDeskOrAway: AroundNavHandler = (navigate, to, options) => {
  if (deskScreens.includes(new URL(to, window.location.href).pathname))
    return aroundNav(navigate, to, options);
  if (isLeaving) return;
  isLeaving = true;
  const returnTo: unknown = options?.state?.returnTo;
  const address = typeof returnTo === 'string' ? withFilters(to, { returnTo }) : to;
  if (options?.replace) window.location.replace(address);
  else window.location.assign(address);
};

/** The owner's desk: one view for each of the owner's tasks, for admins alone. */
export const Desk = () => (
  <Router aroundNav={onTheDeskOrAway}>
    <SkipLink />
    <SignedInOnly>{(customer) => <ViewAtAddress customer={customer} />}</SignedInOnly>
  </Router>
);

const views: Record<DeskView, ComponentType> = {
  today: Today,
  orders: Orders,
  books: Books,
  import: Import,
  sales: Sales,
  customers: Customers,
  pages: Pages,
  activity: Activity,
  mail: Mail,
  webhooks: Webhooks,
  ways: Ways,
};

const ViewAtAddress = ({ customer }: { customer: SignedIn }) => {
  const [path] = useLocation();
  // This query also tells whether the account may use the desk: a view that fetches nothing would not learn it.
  const { data, error } = useQuery(read<OrderCounts>('desk', deskPaths.orderCounts));
  if (error instanceof ApiProblem && error.status === 403)
    return <Refused customer={customer} reason={error.message} />;
  // The fallback is never used: the server sends the desk at no other address, and `onTheDeskOrAway` loads any other as a page.
  const view = deskViews.find((view) => path === deskViewAddress(view)) ?? 'today';
  const View = views[view];
  return (
    <div className={`fill ${side.frame}`}>
      <div className="fill">
        <ErrorBoundary key={view}>
          <main id="content" className={`page ${styles.view}`}>
            <View />
          </main>
        </ErrorBoundary>
        <Notices />
      </div>
      <DeskNav customer={customer} view={view} ordersToSend={data?.new} />
      <GoTo />
    </div>
  );
};

const Refused = ({ customer, reason }: { customer: SignedIn; reason: string }) => (
  <>
    <header className="cluster bar">
      <Brand />
      <Visitor name={customer.email} />
    </header>
    <main id="content" className="page">
      <Notice>
        <ScreenHeading title="Desk">This account may not use the desk</ScreenHeading>
        <p>
          You are signed in as <bdi>{customer.email}</bdi>. {reason}
        </p>
        <ButtonLink href={screens.home}>Back to the shelf</ButtonLink>
      </Notice>
    </main>
  </>
);
