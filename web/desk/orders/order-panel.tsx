import { useQuery } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { Link } from 'wouter';
import type { DeskOrder } from '../../../contract/desk/orders.ts';
import { deskViewAddress } from '../../../contract/desk/paths.ts';
import { maxNoteLength } from '../../../contract/order-note.ts';
import { withFilters } from '../../api/calls.ts';
import { ApiProblem } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Fetched } from '../../components/fetched.tsx';
import { LinesField } from '../../components/field.tsx';
import { Price } from '../../components/price.tsx';
import { ActButtons, useAct } from '../acts.tsx';
import type { PanelOf } from '../list-view.tsx';
import { Panel } from '../panel.tsx';
import { StateTag } from '../state-tag.tsx';
import { Time } from '../time.tsx';
import { note, orderQuery } from './api.ts';
import { WhereTo } from './buyer.tsx';
import { marks } from './marks.ts';
import { OrderHistory } from './order-history.tsx';
import { TakeBack } from './take-back.tsx';

/** The panel of an order: all about it, its history, and the owner's note. */
export const OrderPanel = ({ id, close }: PanelOf<DeskOrder>) => (
  <Panel heading="Order" onClose={close}>
    <Fetched query={useQuery(orderQuery(id))} problem={problemOf}>
      {({ order, history }) => (
        <>
          <Facts order={order} />
          <div className="cluster">
            {/* The notice with Undo is behind the panel. */}
            <ActButtons acts={marks} rows={[order]} onDone={close} />
            <TakeBack order={order} />
          </div>
          {/* An erased customer's order has no note: it may be about the person. */}
          {order.buyer.email !== '' && <Note order={order} />}
          <OrderHistory order={order} history={history} />
        </>
      )}
    </Fetched>
    <div>
      <Button onClick={close}>Close</Button>
    </div>
  </Panel>
);

const problemOf = (error: Error): string =>
  error instanceof ApiProblem && error.status === 404
    ? 'There is no such order.'
    : 'The order could not be fetched.';

const Facts = ({ order }: { order: DeskOrder }) => {
  const { _id, title, author, bookId, buyer, price, placedAt } = order;
  return (
    <dl className="facts">
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
        {buyer.email ? `${buyer.name}, ` : 'An erased customer'}
        {buyer.email && (
          <Link href={withFilters(deskViewAddress('customers'), { q: buyer.email })}>{buyer.email}</Link>
        )}
        <WhereTo order={order} />
      </dd>
      <dt>Placed</dt>
      <dd>
        <Time iso={placedAt} />
      </dd>
      <dt>Number</dt>
      <dd>{_id}</dd>
    </dl>
  );
};

/** The owner's own words. */
const Note = ({ order }: { order: DeskOrder }) => {
  const [text, setText] = useState(order.note ?? '');
  const { act, isBusy } = useAct();
  const isChanged = text.trim() !== (order.note ?? '');
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const run = async () => ({ changed: [await note(order._id, text)], text: 'Saved.' });
    if (!isBusy && isChanged) act({ run, problem: 'The note was not saved.' });
  };
  return (
    <form className="stack tight" onSubmit={submit}>
      <LinesField label="Private note" text={text} maxLength={maxNoteLength} onType={setText} />
      <div>
        <Button type="submit" isBusy={isBusy || !isChanged}>
          Save note
        </Button>
      </div>
    </form>
  );
};
