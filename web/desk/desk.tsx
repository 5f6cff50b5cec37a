import type { ComponentType } from 'react';
import { useLocation } from 'wouter';
import { type DeskView, deskViewAddress, deskViews } from '../../contract/desk/paths.ts';
import type { SignedIn } from '../../contract/session.ts';
import { Notices } from '../components/notify.tsx';
import { aroundNav } from '../list/places.ts';
import { ErrorBoundary } from '../navigation/error-boundary.tsx';
import { Activity } from './activity/activity.tsx';
import { Books } from './books/books.tsx';
import { Customers } from './customers/customers.tsx';
import styles from './desk.module.css';
import { DeskBar } from './desk-bar.tsx';
import { DeskFrame } from './desk-frame.tsx';
import { GoTo } from './go-to.tsx';
import { Import } from './import/import.tsx';
import { leavingTheDesk } from './leaving.ts';
import { Mail } from './mail/mail.tsx';
import { Orders } from './orders/orders.tsx';
import { Refused, useRefusal } from './refused.tsx';
import { Sales } from './sales/sales.tsx';
import { Today } from './today/today.tsx';
import { Webhooks } from './webhooks/webhooks.tsx';

const router = { aroundNav: leavingTheDesk(aroundNav) };

/** The owner's desk: one view for each thing that a shop's owner does, for admins alone. */
export const Desk = () => (
  <DeskFrame router={router}>{(customer) => <AdmittedOnly customer={customer} />}</DeskFrame>
);

const views: Record<DeskView, ComponentType> = {
  today: Today,
  orders: Orders,
  books: Books,
  import: Import,
  sales: Sales,
  customers: Customers,
  activity: Activity,
  mail: Mail,
  webhooks: Webhooks,
};

const AdmittedOnly = ({ customer }: { customer: SignedIn }) => {
  const refusal = useRefusal();
  return refusal ? <Refused customer={customer} refusal={refusal} /> : <ViewAtAddress customer={customer} />;
};

const ViewAtAddress = ({ customer }: { customer: SignedIn }) => {
  const [path] = useLocation();
  const view = viewAt(path);
  const View = views[view];
  return (
    <>
      <DeskBar customer={customer} view={view} />
      <GoTo />
      <ErrorBoundary key={view}>
        <main id="content" className={`page ${styles.view}`}>
          <View />
        </main>
      </ErrorBoundary>
      <Notices />
    </>
  );
};

/** The server sends the desk at no other address, and {@link leavingTheDesk} shows it at none. */
const viewAt = (path: string): DeskView =>
  deskViews.find((view) => path === deskViewAddress(view)) ?? deskViews[0];
