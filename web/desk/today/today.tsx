import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { counted } from '../../../contract/counted.ts';
import { countText } from '../../../contract/desk/limits.ts';
import type { DeskOrder } from '../../../contract/desk/orders.ts';
import { type DeskView, deskPaths, deskViewAddress } from '../../../contract/desk/paths.ts';
import type { Today as TodayFigures } from '../../../contract/desk/today.ts';
import { formatPrice } from '../../../contract/price.ts';
import { type Filters, read, withFilters } from '../../api/calls.ts';
import { Fact } from '../../components/fact.tsx';
import { Fetched } from '../../components/fetched.tsx';
import { ResponsiveTable } from '../../components/responsive-table.tsx';
import { label, money, text, time, title } from '../columns.tsx';
import { StateTag } from '../state-tag.tsx';
import { Time } from '../time.tsx';
import { ViewHead } from '../view-head.tsx';
import styles from './today.module.css';

const addressOf = (view: DeskView, filters: Filters) => withFilters(deskViewAddress(view), filters);

/** The first view: what waits for the owner, and how the shop does. */
export const Today = () => (
  <>
    <ViewHead name="Today" />
    <Fetched query={useQuery(todayQuery)} problem="The figures could not be fetched.">
      {(today) => (
        <>
          <ul className={styles.figures}>{figuresOf(today).map(Figure)}</ul>
          <section className="stack tight">
            <h2>The last orders</h2>
            {today.orders.length === 0 ? (
              <p>No orders yet.</p>
            ) : (
              <ResponsiveTable
                label="The last orders"
                columns={columns}
                rows={today.orders}
                keyOf={({ _id }) => _id}
              />
            )}
          </section>
          <StoreState store={today.store} />
        </>
      )}
    </Fetched>
  </>
);

const todayQuery = read<TodayFigures>('desk', deskPaths.today);

type FigureProps = { name: string; figure: string; note: string; href: string; isCalling?: boolean };

const Figure = ({ name, figure, note, href, isCalling = false }: FigureProps) => (
  <li key={name}>
    <Link href={href} data-is-calling={isCalling}>
      <span>{name}</span>
      <strong>{figure}</strong>
      <span className="soft">{note}</span>
    </Link>
  </li>
);

const figuresOf = (today: TodayFigures): FigureProps[] => {
  const { toSend, toRefund, failedMail, soldOut, withoutPicture, thisWeek, lastWeek } = today;
  const refunds = {
    name: 'To refund',
    figure: countText(toRefund),
    note: 'Withdrawn, not yet refunded',
    href: addressOf('orders', { state: 'withdrawn' }),
    isCalling: true,
  };
  return [
    {
      name: 'To send',
      figure: countText(toSend),
      note: toSend === 0 ? 'Nothing to pack' : 'Open the packing list',
      href: addressOf('orders', { packing: 'yes', state: 'new' }),
      isCalling: toSend > 0,
    },
    ...(toRefund > 0 ? [refunds] : []),
    {
      name: 'Sold this week',
      figure: formatPrice(thisWeek.revenue),
      note: `${counted(thisWeek.orders, 'order')}; all of last week ${formatPrice(lastWeek.revenue)}`,
      href: addressOf('sales', { from: thisWeek.from, to: thisWeek.to }),
    },
    {
      name: 'Failed mail',
      figure: countText(failedMail),
      note: failedMail === 0 ? 'None' : 'See why, send it again',
      href: addressOf('mail', { state: 'given-up' }),
      isCalling: failedMail > 0,
    },
    {
      name: 'Sold out',
      figure: countText(soldOut),
      note: soldOut === 0 ? 'All in stock' : 'Add copies',
      href: addressOf('books', { state: 'sold-out' }),
    },
    {
      name: 'Missing pictures',
      figure: countText(withoutPicture),
      note: withoutPicture === 0 ? 'No upload is missing' : 'Upload them again',
      href: addressOf('books', { state: 'without-picture' }),
    },
  ];
};

const columns = [
  title<DeskOrder>('Book', ({ _id, title, author }) => ({
    title: <Link href={addressOf('orders', { order: _id })}>{title}</Link>,
    below: [author],
  })),
  text<DeskOrder>('Buyer', ({ buyer }) => buyer.name || 'An erased customer', { width: '30%' }),
  money<DeskOrder>('Price', ({ price }) => price),
  time<DeskOrder>('Placed', ({ placedAt }) => placedAt, { isLabelledWhenCompact: false }),
  label<DeskOrder>('State', (order) => <StateTag order={order} />),
];

/** The alert DiskFilling has the same. */
const lowShare = 0.1;

/** The state of the store itself, for owners without other monitoring. */
const StoreState = ({ store }: { store: TodayFigures['store'] }) => {
  const { lastBackup, isBackupOld, waitingMail, diskFreeBytes, diskBytes, version } = store;
  const freeShare = diskFreeBytes === undefined || !diskBytes ? undefined : diskFreeBytes / diskBytes;
  return (
    <section aria-label="The store">
      <dl className={`cluster soft ${styles.store}`}>
        <Fact name="Last backup" data-is-calling={isBackupOld}>
          {lastBackup === null ? 'None yet' : <Time iso={lastBackup} />}
        </Fact>
        {freeShare !== undefined && (
          <Fact name="Disk" data-is-calling={freeShare < lowShare}>
            {`${Math.floor(freeShare * 100)} % free`}
          </Fact>
        )}
        <Fact name="Waiting mail">{waitingMail === 0 ? 'None' : countText(waitingMail)}</Fact>
        <Fact name="Version">{version}</Fact>
      </dl>
    </section>
  );
};
