import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { BestSeller } from '../../../contract/desk/sales.ts';
import { bestSellersQuery } from '../../api/desk-queries.ts';
import { Loading } from '../../components/loading.tsx';
import { Price } from '../../components/price.tsx';
import { type Column, ResponsiveTable } from '../../components/responsive-table.tsx';
import { TryAgain } from '../../components/try-again.tsx';
import { TitleAndAuthor } from '../desk-list.tsx';
import { wrongDay } from '../use-filters.ts';
import styles from './sales.module.css';

export const ordersColumn = {
  heading: 'Orders',
  kind: 'number',
  width: '5.5rem',
  cell: ({ orders }: { orders: number }) => orders.toLocaleString('en'),
  isLabelledWhenCompact: true,
} as const;
export const revenueColumn = {
  heading: 'Revenue',
  kind: 'number',
  width: '7.5rem',
  cell: ({ revenue }: { revenue: number }) => <Price value={revenue} />,
} as const;

/** The books of which most was sold in this time. */
export const BestSellers = ({ from, to }: { from: string; to: string }) => {
  const books = useQuery({ ...bestSellersQuery({ from, to }), placeholderData: keepPreviousData });
  if (wrongDay(books.error)) {
    return <p className={styles.none}>This time is too long for best sellers. Choose ten years at most.</p>;
  }
  if (books.isError) {
    return (
      <TryAgain
        problem="The best sellers could not be fetched."
        error={books.error}
        onTryAgain={books.refetch}
      />
    );
  }
  if (!books.data) return <Loading />;
  if (books.data.length === 0) return <p className={styles.none}>Nothing was sold in this time.</p>;
  return (
    <ResponsiveTable
      label="Best sellers"
      columns={bestSellerColumns}
      rows={books.data}
      keyOf={idOf}
      whenNarrow="compact rows"
      listId={`${from} ${to}`}
    />
  );
};

const idOf = (book: BestSeller): string => book._id;

const bestSellerColumns: Column<BestSeller>[] = [
  { heading: 'Book', kind: 'title', cell: TitleAndAuthor },
  ordersColumn,
  revenueColumn,
];
