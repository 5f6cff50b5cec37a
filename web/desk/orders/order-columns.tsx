import { Link } from 'wouter';
import type { DeskOrder } from '../../../contract/desk/orders.ts';
import { deskViewAddress } from '../../../contract/desk/paths.ts';
import { withFilters } from '../../api/desk-queries.ts';
import { Price } from '../../components/price.tsx';
import type { Column } from '../../components/responsive-table.tsx';
import { OneLine, SecondLine } from '../desk-list.tsx';
import { SelectCell } from '../selection-bar.tsx';
import { StateTag } from '../state-tag.tsx';
import { Tag } from '../tag.tsx';
import { Time } from '../time.tsx';
import styles from './orders.module.css';
import { TakeBack } from './take-back.tsx';
import { WhereTo } from './where-to.tsx';

/** The columns of the orders, each of which can be chosen. */
export const columnsWith = (
  chosen: ReadonlySet<string>,
  onToggle: (id: string, isRange: boolean) => void,
  onOpen: (id: string) => void,
): Column<DeskOrder>[] => [
  {
    heading: 'Select',
    isHeadingHidden: true,
    kind: 'action',
    width: '2.75rem',
    cell: ({ _id, title, buyer }) => (
      <SelectCell
        id={_id}
        label={`${title}, for ${buyer.name || 'an erased customer'}`}
        isChosen={chosen.has(_id)}
        onToggle={onToggle}
      />
    ),
  },
  {
    heading: 'Book',
    kind: 'title',
    cell: ({ _id, title, author, note }) => (
      <>
        <button
          type="button"
          className={styles.opener}
          aria-label={`Open: ${title}`}
          onClick={() => onOpen(_id)}
        >
          {title}
        </button>
        {note !== null && (
          <>
            {' '}
            <Tag>Note</Tag>
          </>
        )}
        <SecondLine>{author}</SecondLine>
      </>
    ),
  },
  {
    heading: 'Buyer',
    kind: 'text',
    width: '25%',
    cell: (order) => (
      <>
        <Buyer buyer={order.buyer} />
        <span className={styles.acts}>
          <WhereTo order={order} />
          <TakeBack order={order} />
        </span>
      </>
    ),
  },
  { heading: 'Price', kind: 'number', width: '6.5rem', cell: ({ price }) => <Price value={price} /> },
  {
    heading: 'Placed',
    kind: 'label',
    width: '11rem',
    cell: ({ placedAt }) => <Time iso={placedAt} />,
    isLabelledWhenCompact: true,
  },
  {
    heading: 'State',
    kind: 'label',
    width: '6.5rem',
    cell: (order) => <StateTag order={order} />,
  },
  {
    heading: 'Sent',
    kind: 'label',
    width: '10rem',
    cell: ({ sentAt }) => sentAt !== null && <Time iso={sentAt} />,
    isLabelledWhenCompact: true,
  },
];

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
        <OneLine>{email}</OneLine>
      </Link>
    </>
  );
