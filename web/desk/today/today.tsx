import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { counted } from '../../../contract/counted.ts';
import { countText } from '../../../contract/desk/limits.ts';
import type { DeskOrder } from '../../../contract/desk/orders.ts';
import { deskPaths, deskViewAddress } from '../../../contract/desk/paths.ts';
import type { Today as TodayFigures } from '../../../contract/desk/today.ts';
import { read } from '../../api/calls.ts';
import { Fact } from '../../components/fact.tsx';
import { Fetched } from '../../components/fetched.tsx';
import { ResponsiveTable } from '../../components/responsive-table.tsx';
import { money } from '../../store-config.ts';
import { buyerName } from '../buyer-name.ts';
import { amount, state, text, time, title } from '../columns.tsx';
import { StateTag } from '../state-tag.tsx';
import { Time } from '../time.tsx';
import { ViewHead } from '../view-head.tsx';
import styles from './today.module.css';

/** The first view: the owner's open tasks, and the shop's figures. */
export const Today = () => (
  <>
    <ViewHead name="Today" />
    <Fetched query={useQuery(todayQuery)} problem="The figures could not be fetched.">
      {(today) => (
        <>
          <ul className={`figures ${styles.figures}`}>
            {figuresOf(today).map((figure) => (
              <Figure key={figure.name} {...figure} />
            ))}
          </ul>
          <section className="stack tight">
            <h2>The last orders</h2>
            {today.orders.length === 0 ? (
              <p>No orders yet.</p>
            ) : (
              <ResponsiveTable label="The last orders" columns={columns} rows={today.orders} />
            )}
          </section>
          <StoreState store={today.store} />
        </>
      )}
    </Fetched>
  </>
);

const todayQuery = read<TodayFigures>('desk', deskPaths.today);

type FigureProps = {
  name: string;
  figure: number | string;
  note: string;
  href: string;
  /** A number of things that wait for the owner; nothing if it is 0. */
  isCalling?: boolean;
};

const Figure = ({ name, figure, note, href, isCalling = false }: FigureProps) => (
  <li>
    <Link href={href} data-is-calling={isCalling && figure !== 0}>
      <span>{name}</span>
      <strong>{typeof figure === 'number' ? countText(figure) : figure}</strong>
      <span className="soft">{note}</span>
    </Link>
  </li>
);

const figuresOf = (today: TodayFigures): FigureProps[] => {
  const { toSend, toRefund, surplus, failedMail, soldOut, withoutPicture, thisWeek, lastWeek } = today;
  return [
    {
      name: 'To send',
      figure: toSend,
      note: 'Open the packing list',
      href: deskViewAddress('orders', { packing: 'yes', state: 'new' }),
      isCalling: true,
    },
    {
      name: 'To refund',
      figure: toRefund,
      note: 'Withdrawn, not yet refunded',
      href: deskViewAddress('orders', { state: 'withdrawn' }),
      isCalling: true,
    },
    ...(surplus > 0
      ? [
          {
            name: 'Surplus',
            figure: surplus,
            note: 'Paid twice or too late',
            href: deskViewAddress('orders', { state: 'surplus' }),
            isCalling: true,
          },
        ]
      : []),
    {
      name: 'Sold this week',
      figure: money.format(thisWeek.revenue),
      note: `${counted(thisWeek.orders, 'order')}; all of last week ${money.format(lastWeek.revenue)}`,
      href: deskViewAddress('sales', { from: thisWeek.from, to: thisWeek.to }),
    },
    {
      name: 'Failed mail',
      figure: failedMail,
      note: 'See why, send it again',
      href: deskViewAddress('mail', { state: 'given-up' }),
      isCalling: true,
    },
    {
      name: 'Sold out',
      figure: soldOut,
      note: 'Add copies',
      href: deskViewAddress('books', { state: 'sold-out' }),
    },
    {
      name: 'Missing pictures',
      figure: withoutPicture,
      note: 'Upload them again',
      href: deskViewAddress('books', { state: 'without-picture' }),
    },
  ];
};

const columns = [
  title<DeskOrder>('Book', ({ _id, title, author }) => ({
    title: <Link href={deskViewAddress('orders', { order: _id })}>{title}</Link>,
    below: [author],
  })),
  text<DeskOrder>('Buyer', ({ buyer }) => buyerName(buyer), { width: '30%' }),
  amount<DeskOrder>('Total', ({ total }) => total),
  time<DeskOrder>('Placed', ({ placedAt }) => placedAt),
  state<DeskOrder>('State', (order) => <StateTag order={order} />),
];

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
        {freeShare !== undefined && (
          <Fact name="Disk" data-is-calling={freeShare < lowShare}>
            {`${Math.floor(freeShare * 100)} % free`}
          </Fact>
        )}
        <Fact name="Waiting mail">{countText(waitingMail)}</Fact>
        <Fact name="Version">{version}</Fact>
      </dl>
    </section>
  );
};
