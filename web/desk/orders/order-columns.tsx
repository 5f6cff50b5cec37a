import { Link } from 'wouter';
import type { DeskOrder } from '../../../contract/desk/orders.ts';
import { deskViewAddress } from '../../../contract/desk/paths.ts';
import { withFilters } from '../../api/desk-queries.ts';
import { Price } from '../../components/price.tsx';
import type { Column } from '../../components/responsive-table.tsx';
import { TitleAndAuthor } from '../desk-list.tsx';
import { Tag } from '../tag.tsx';
import { Time } from '../time.tsx';
import styles from './orders.module.css';
import { TakeBack } from './take-back.tsx';
import { WhereTo } from './where-to.tsx';

/** The columns of the orders, each of which can be chosen. */
export const columnsWith = (
  chosen: ReadonlySet<string>,
  onToggle: (id: string) => void,
): Column<DeskOrder>[] => [
  {
    heading: '',
    kind: 'action',
    width: '2.75rem',
    cell: ({ _id, title, buyer }) => (
      <label className={styles.select}>
        <input
          type="checkbox"
          checked={chosen.has(_id)}
          onChange={() => onToggle(_id)}
          aria-label={`Select: ${title}, for ${buyer.name || 'an erased customer'}`}
        />
      </label>
    ),
  },
  {
    heading: 'Book',
    kind: 'title',
    cell: TitleAndAuthor,
  },
  {
    heading: 'Buyer',
    kind: 'text',
    width: '25%',
    cell: (order) => (
      <>
        <Buyer buyer={order.buyer} />
        <WhereTo order={order} />
        <TakeBack order={order} />
      </>
    ),
  },
  { heading: 'Price', kind: 'number', width: '6.5rem', cell: ({ price }) => <Price value={price} /> },
  {
    heading: 'Placed',
    kind: 'number',
    width: '11rem',
    cell: ({ placedAt }) => <Time iso={placedAt} />,
    isLabelledWhenCompact: true,
  },
  {
    heading: 'State',
    kind: 'number',
    width: '6.5rem',
    cell: ({ state, refundedAt }) => (
      <Tag isCalling={state === 'new' || (state === 'withdrawn' && refundedAt === null)}>
        {stateNames[state]}
      </Tag>
    ),
  },
  {
    heading: 'Sent',
    kind: 'number',
    width: '10rem',
    cell: ({ sentAt }) => sentAt !== null && <Time iso={sentAt} />,
    isLabelledWhenCompact: true,
  },
];

const stateNames: Record<DeskOrder['state'], string> = { new: 'New', sent: 'Sent', withdrawn: 'Withdrawn' };

const Buyer = ({ buyer: { name, email } }: Pick<DeskOrder, 'buyer'>) =>
  email === '' ? (
    <span className={styles.erased}>An erased customer</span>
  ) : (
    <>
      {name}
      <Link
        className={styles.email}
        href={withFilters(deskViewAddress('customers'), { q: email })}
        aria-label={`The customer ${email}`}
      >
        {email}
      </Link>
    </>
  );
