import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { counted } from '../../../contract/counted.ts';
import { countText } from '../../../contract/desk/limits.ts';
import { deskPaths, deskViewAddress } from '../../../contract/desk/paths.ts';
import type { Today as TodayFigures } from '../../../contract/desk/today.ts';
import { read } from '../../api/calls.ts';
import { Fact } from '../../components/fact.tsx';
import { Fetched } from '../../components/fetched.tsx';
import { ResponsiveTable } from '../../components/responsive-table.tsx';
import { money } from '../../store-config.ts';
import { ListContext } from '../columns.tsx';
import { orderColumns } from '../order-columns.tsx';
import { Time } from '../time.tsx';
import { ViewHead } from '../view-head.tsx';
import styles from './today.module.css';

export const Today = () => {
  const [, navigate] = useLocation();
  const open = (order: string) => navigate(deskViewAddress('orders', { order }));
  return (
    <ListContext value={{ open }}>
      <ViewHead name="Today" />
      <Fetched query={useQuery(todayQuery)} problem="The figures could not be fetched.">
        {(today) => (
          <>
            <Figures today={today} />
            <section className="stack tight">
              <h2>The last orders</h2>
              {today.orders.length === 0 ? (
                <p>No orders yet.</p>
              ) : (
                <ResponsiveTable label="The last orders" columns={orderColumns} rows={today.orders} />
              )}
            </section>
            <StoreState store={today.store} />
          </>
        )}
      </Fetched>
    </ListContext>
  );
};

const todayQuery = read<TodayFigures>('desk', deskPaths.today);

/** A figure that leads to its list. It stands out while it is calling. */
const figure = (name: string, value: string, note: string, href: string, isCalling = false) => (
  <li key={name}>
    <Link href={href} className="stack" data-is-calling={isCalling}>
      <span>{name}</span>
      <strong>{value}</strong>
      <span className="soft">{note}</span>
    </Link>
  </li>
);

/** A number of things. `isCalling`: they wait for the owner. */
const some = (name: string, count: number, note: string, href: string, isCalling = true) =>
  count > 0 && figure(name, countText(count), note, href, isCalling);

const Figures = ({ today }: { today: TodayFigures }) => {
  const { toBePaid, toSend, toRefund, surplus, failedMail, soldOut, withoutPicture } = today;
  const { from, to, orders, revenue } = today.thisWeek;
  const ordersAt = (state: string, more = {}) => deskViewAddress('orders', { ...more, state });
  const booksAt = (state: string) => deskViewAddress('books', { state });
  const before = today.lastWeek.revenue;
  const sold = `${counted(orders, 'order')}${before > 0 ? `; ${money.format(before)} by this day last week` : ''}`;
  const things = [
    some('To send', toSend, 'Open the packing list', ordersAt('new', { packing: 'yes' })),
    some('To be paid', toBePaid, 'Sent once they are paid', ordersAt('due'), false),
    some('To refund', toRefund, 'Withdrawn, not yet refunded', ordersAt('withdrawn')),
    some('Surplus', surplus, 'Paid twice or too late', ordersAt('surplus')),
    some('Failed mail', failedMail, 'See why, send it again', deskViewAddress('mail', { state: 'given-up' })),
    some('Sold out', soldOut, 'Add copies', booksAt('sold-out'), false),
    some('Missing pictures', withoutPicture, 'Upload them again', booksAt('without-picture'), false),
  ].filter(Boolean);
  return (
    <>
      {things.length === 0 && <p>Nothing waits.</p>}
      <ul className={`stack figures ${styles.figures}`}>
        {things}
        {figure('Sold this week', money.format(revenue), sold, deskViewAddress('sales', { from, to }))}
      </ul>
    </>
  );
};

/** The limit is that of the alert DiskFilling. */
const lowShare = 0.1;

/** The state of the store itself, for owners without other monitoring. */
const StoreState = ({ store }: { store: TodayFigures['store'] }) => {
  const { lastBackup, isBackupOld, waitingMail, diskFreeBytes, diskBytes, version } = store;
  const freeShare = diskFreeBytes === undefined || !diskBytes ? undefined : diskFreeBytes / diskBytes;
  return (
    <section aria-label="The store">
      <dl className="facts flow">
        <Fact name="Last backup" data-is-calling={isBackupOld}>
          {lastBackup === null ? 'None yet' : <Time iso={lastBackup} />}
        </Fact>
        <Fact name="Disk" data-is-calling={freeShare !== undefined && freeShare < lowShare}>
          {freeShare !== undefined && `${Math.floor(freeShare * 100)} % free`}
        </Fact>
        <Fact name="Waiting mail">{countText(waitingMail)}</Fact>
        <Fact name="Version">{version}</Fact>
      </dl>
    </section>
  );
};
