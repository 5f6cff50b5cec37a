import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { Link } from 'wouter';
import type { DeskOrder } from '../../../contract/desk/orders.ts';
import { deskViewAddress } from '../../../contract/desk/paths.ts';
import { maxNoteLength } from '../../../contract/order-note.ts';
import { ApiProblem, retryTransient } from '../../api/client.ts';
import { noteOrder, orderQuery, showOrders } from '../../api/desk-order-queries.ts';
import { withFilters } from '../../api/desk-queries.ts';
import { Button } from '../../components/button.tsx';
import { LinesField } from '../../components/field.tsx';
import { Loading } from '../../components/loading.tsx';
import { Price } from '../../components/price.tsx';
import { TryAgain } from '../../components/try-again.tsx';
import { withReason } from '../../components/with-reason.ts';
import { Panel } from '../panel.tsx';
import { StateTag } from '../state-tag.tsx';
import { Time } from '../time.tsx';
import type { useMarkOrders } from './mark-orders.tsx';
import { OrderHistory } from './order-history.tsx';
import styles from './order-panel.module.css';
import { TakeBack } from './take-back.tsx';
import { WhereTo } from './where-to.tsx';

type OrderPanelProps = {
  id: string;
  marking: Pick<ReturnType<typeof useMarkOrders>, 'mark' | 'isMarking'>;
  onClose: () => void;
};

/** The panel of an order: all about it, its history, and the owner's note. */
export const OrderPanel = ({ id, marking, onClose }: OrderPanelProps) => {
  const found = useQuery(orderQuery(id));
  const { order, history } = found.data ?? {};
  const isGone = found.error instanceof ApiProblem && found.error.status === 404;
  return (
    <Panel heading="Order" onClose={onClose}>
      {found.isPending && <Loading />}
      {found.isError && (
        <TryAgain
          problem={isGone ? 'There is no such order.' : 'The order could not be fetched.'}
          error={found.error}
          onTryAgain={found.refetch}
        />
      )}
      {order && history && (
        <>
          <Facts order={order} />
          <div className={styles.actions}>
            {order.state !== 'withdrawn' && (
              <Button
                variant={order.state === 'new' ? 'primary' : 'secondary'}
                isBusy={marking.isMarking}
                // The notice with Undo is behind the panel.
                onClick={() => marking.mark([order], order.state === 'new', { onMarked: onClose })}
              >
                Mark as {order.state === 'new' ? 'sent' : 'new'}
              </Button>
            )}
            <TakeBack order={order} />
          </div>
          <Note order={order} />
          <OrderHistory order={order} history={history} />
        </>
      )}
      <div>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Panel>
  );
};

const Facts = ({ order }: { order: DeskOrder }) => {
  const { _id, title, author, bookId, buyer, price, placedAt } = order;
  return (
    <dl className={styles.facts}>
      <dt>Book</dt>
      <dd dir="auto">
        <Link href={withFilters(deskViewAddress('books'), { q: bookId })}>
          <cite>{title}</cite>
        </Link>
        , {author}
      </dd>
      <dt>Price</dt>
      <dd>
        <Price value={price} /> <StateTag order={order} />
      </dd>
      <dt>Buyer</dt>
      <dd dir="auto">
        {buyer.email ? (
          <>
            {buyer.name},{' '}
            <Link href={withFilters(deskViewAddress('customers'), { q: buyer.email })}>{buyer.email}</Link>
          </>
        ) : (
          'An erased customer'
        )}
        <WhereTo order={order} />
      </dd>
      <dt>Placed</dt>
      <dd>
        <Time iso={placedAt} />
      </dd>
      <dt>Number</dt>
      <dd className={styles.number}>{_id}</dd>
    </dl>
  );
};

/** The owner's own words. An erased customer's order has none: they may be about the person. */
const Note = ({ order: { _id, note, buyer } }: { order: DeskOrder }) => {
  const queryClient = useQueryClient();
  const [text, setText] = useState(note ?? '');
  const saving = useMutation({
    mutationFn: () => noteOrder(_id, text),
    retry: retryTransient,
    onSuccess: (order) => showOrders(queryClient, [order]),
  });
  if (buyer.email === '') return null;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!saving.isPending) saving.mutate();
  };
  const isChanged = text.trim() !== (saving.data?.note ?? note ?? '');
  return (
    <form className={styles.note} onSubmit={submit}>
      <LinesField label="Private note" text={text} maxLength={maxNoteLength} onType={setText} />
      <Button type="submit" isBusy={saving.isPending || !isChanged}>
        Save note
      </Button>
      <p role="status">
        {saving.isSuccess && !isChanged && 'Saved.'}
        {saving.isError && withReason('The note was not saved.', saving.error)}
      </p>
    </form>
  );
};
