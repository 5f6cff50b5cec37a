import { useState } from 'react';
import { flushSync } from 'react-dom';
import { counted } from '../../../contract/counted.ts';
import type { DeskCustomer } from '../../../contract/desk/customers.ts';
import {
  customersQuery,
  type DeskListQuery,
  minCustomerSearch,
  someCustomersQuery,
} from '../../api/desk-queries.ts';
import { UndoNotice } from '../../books/undo-notice.tsx';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { Price } from '../../components/price.tsx';
import type { Column } from '../../components/responsive-table.tsx';
import { DeskList, OneLine, SecondLine, useDeskList } from '../desk-list.tsx';
import { FilterBar, TextFilter } from '../filters.tsx';
import { Tag } from '../tag.tsx';
import { Time } from '../time.tsx';
import { useFilters } from '../use-filters.ts';
import { ViewHead } from '../view-head.tsx';
import { CustomerPanel } from './customer-panel.tsx';
import styles from './customers.module.css';

const filterNames = ['q'] as const;

/** Finds customers by their e-mail or name. A panel has the actions for one. */
export const Customers = () => {
  const { filters, change } = useFilters(filterNames);
  const [message, setMessage] = useState('');
  const isSearch = filters.q.length >= minCustomerSearch;
  return (
    <>
      <ViewHead
        name="Customers"
        about="Find a customer by e-mail or name: to see their orders, or to export, block or erase them."
      />
      <FilterBar
        label="Find a customer"
        main={
          <TextFilter
            label="E-mail or name"
            value={filters.q}
            onChange={(q) => change({ q })}
            placeholder="First letters of a name or e-mail"
            maxLength={320}
          />
        }
      />
      {isSearch && (
        <CustomerList
          query={customersQuery(filters.q)}
          label="Customers"
          whenEmpty="No customer has such an e-mail or name."
          onErased={setMessage}
        />
      )}
      {!isSearch && filters.q !== '' && <TypeMore />}
      {filters.q === '' && <SomeCustomers onErased={setMessage} />}
      <UndoNotice>{message}</UndoNotice>
    </>
  );
};

const TypeMore = () => (
  <Notice>
    <p>Type at least three letters of the e-mail, the name or the last name.</p>
  </Notice>
);

/** Before anything is typed: who came last, and who paid most. */
const SomeCustomers = ({ onErased }: { onErased: (message: string) => void }) => {
  const { list: newest } = useDeskList(someCustomersQuery('newest'));
  return (
    <>
      <section className={styles.some}>
        <h2>Newest</h2>
        <CustomerList query={someCustomersQuery('newest')} label="Newest customers" onErased={onErased} />
      </section>
      {/* The list above it would move it when it comes. */}
      <section className={styles.some} hidden={newest.isPending}>
        <h2>Best</h2>
        <CustomerList query={someCustomersQuery('best')} label="Best customers" onErased={onErased} />
      </section>
    </>
  );
};

type CustomerListProps = {
  query: DeskListQuery<DeskCustomer>;
  label: string;
  whenEmpty?: string;
  onErased: (message: string) => void;
};

/** The customer of the panel; `isErasing` when it is open to erase them. */
type OpenPanel = { id: string; isErasing?: boolean };

const CustomerList = ({ query, label, whenEmpty = 'None yet.', onErased }: CustomerListProps) => {
  const found = useDeskList(query);
  const [open, setOpen] = useState<OpenPanel>();
  const opened = found.items?.find(({ _id }) => _id === open?.id);

  return (
    <>
      <DeskList
        found={found}
        problem="The customers could not be fetched."
        whenEmpty={{ text: whenEmpty }}
        label={label}
        columns={columnsWith(setOpen)}
      />
      {opened && (
        <CustomerPanel
          customer={opened}
          isErasing={open?.isErasing ?? false}
          onClose={() => setOpen(undefined)}
          onErased={({ orders }) => {
            flushSync(() => setOpen(undefined));
            onErased(
              `Erased. ${counted(orders, 'order')} ${orders === 1 ? 'keeps its' : 'keep their'} book, price and day.`,
            );
            // The row that the panel was opened from is gone.
            document.querySelector('h1')?.focus({ preventScroll: true });
          }}
        />
      )}
    </>
  );
};

const columnsWith = (onOpen: (panel: OpenPanel) => void): Column<DeskCustomer>[] => [
  {
    heading: 'Customer',
    kind: 'title',
    cell: ({ name, email, isBlocked }) => (
      <>
        {name || email}
        {isBlocked && (
          <>
            {' '}
            <Tag isCalling>Blocked</Tag>
          </>
        )}
        {name && (
          <SecondLine>
            <OneLine>{email}</OneLine>
          </SecondLine>
        )}
      </>
    ),
  },
  {
    heading: 'Orders',
    kind: 'number',
    width: '6rem',
    cell: ({ orders }) => orders.toLocaleString('en'),
    isLabelledWhenCompact: true,
  },
  {
    heading: 'Paid',
    kind: 'number',
    width: '8rem',
    cell: ({ revenue }) => <Price value={revenue} />,
    isLabelledWhenCompact: true,
  },
  {
    heading: 'Last seen',
    kind: 'label',
    width: '11.5rem',
    cell: ({ lastSeenAt }) => (lastSeenAt === null ? 'not signed in' : <Time iso={lastSeenAt} />),
    isLabelledWhenCompact: true,
  },
  {
    heading: '',
    kind: 'action',
    width: '10rem',
    cell: ({ _id, email }) => (
      <>
        <Button variant="subtle" aria-label={`Open: ${email}`} onClick={() => onOpen({ id: _id })}>
          Open
        </Button>
        <Button
          variant="subtle"
          aria-label={`Erase: ${email}`}
          onClick={() => onOpen({ id: _id, isErasing: true })}
        >
          Erase
        </Button>
      </>
    ),
  },
];
