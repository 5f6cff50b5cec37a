import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { ActivityEntry } from '../../../contract/desk/activity.ts';
import { maxNoteLength } from '../../../contract/desk/limits.ts';
import type { DeskOrder, OrderWithHistory } from '../../../contract/desk/orders.ts';
import { deskViewAddress } from '../../../contract/desk/paths.ts';
import { withFilters } from '../../api/calls.ts';
import { Fact } from '../../components/fact.tsx';
import { Fetched } from '../../components/fetched.tsx';
import { LinesField } from '../../components/field.tsx';
import { Price } from '../../components/price.tsx';
import { sentenceOf } from '../activity-texts.ts';
import { ActButton, ActButtons } from '../acts.tsx';
import type { PanelOf } from '../list-view.tsx';
import { Panel } from '../panel.tsx';
import { StateTag } from '../state-tag.tsx';
import { Time } from '../time.tsx';
import { note, orderQuery } from './api.ts';
import { WhereTo } from './buyer.tsx';
import { marks } from './marks.ts';
import { TakeBack } from './take-back.tsx';

/** The panel of an order: all about it, its history, and the owner's note. */
export const OrderPanel = ({ id, close }: PanelOf) => (
  <Panel heading="Order" onClose={close}>
    <Fetched query={useQuery(orderQuery(id))} problem="The order could not be fetched.">
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
          <History order={order} history={history} />
        </>
      )}
    </Fetched>
  </Panel>
);

const Facts = ({ order }: { order: DeskOrder }) => {
  const { _id, title, author, bookId, buyer, price, placedAt } = order;
  return (
    <dl className="facts">
      <Fact name="Book">
        <Link href={withFilters(deskViewAddress('books'), { q: bookId })}>
          <cite dir="auto">{title}</cite>
        </Link>
        , <bdi>{author}</bdi>
      </Fact>
      <Fact name="Price">
        <Price value={price} /> <StateTag order={order} />
      </Fact>
      <Fact name="Buyer">
        <bdi>{buyer.name || 'An erased customer'}</bdi>{' '}
        {buyer.email && (
          <Link href={withFilters(deskViewAddress('customers'), { q: buyer.email })}>{buyer.email}</Link>
        )}
        <WhereTo order={order} />
      </Fact>
      <Fact name="Placed">
        <Time iso={placedAt} />
      </Fact>
      <Fact name="Number">{_id}</Fact>
    </dl>
  );
};

/** The owner's own words. */
const Note = ({ order }: { order: DeskOrder }) => {
  const [text, setText] = useState(order.note ?? '');
  const run = async () => {
    await note(order._id, text);
    return { text: 'Saved.' };
  };
  return (
    <div className="stack tight">
      <LinesField label="Private note" text={text} maxLength={maxNoteLength} onType={setText} />
      <div>
        <ActButton name="Save note" variant="secondary" run={run} problem="The note was not saved." />
      </div>
    </div>
  );
};

/** The history of an order, newest first: acts on the desk, and those of its buyer. */
const History = ({ order, history }: OrderWithHistory) => {
  const { placedAt, withdrawnAt, withdrawnBy, addressCorrectedAt, buyer } = order;
  // One transaction writes both times.
  const wasSetHere = history.some(
    ({ action, at }) =>
      action === 'order-address-set' &&
      Math.abs(Date.parse(at) - Date.parse(addressCorrectedAt ?? '')) < 5_000,
  );
  const events = [
    ...history.map((entry) => ({ at: entry.at, words: sentenceOf(entry), who: whoOf(entry) })),
    ...(withdrawnAt !== null && withdrawnBy === 'customer'
      ? [{ at: withdrawnAt, words: 'Withdrawn', who: 'the buyer' }]
      : []),
    ...(addressCorrectedAt !== null && !wasSetHere
      ? [{ at: addressCorrectedAt, words: 'Address corrected', who: 'the buyer' }]
      : []),
    { at: placedAt, words: 'Placed', who: buyer.name || 'an erased customer' },
  ].sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
  return (
    <section className="stack tight">
      <h3>History</h3>
      <ol className="ruled">
        {events.map(({ at, words, who }) => (
          <li key={`${at} ${words}`} className="cluster ends">
            <span>
              {words}, by <bdi>{who}</bdi>
            </span>
            <span className="soft">
              <Time iso={at} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
};

const whoOf = ({ email, token, address }: ActivityEntry): string => {
  if (email !== null) return email;
  if (token !== null) return `the token ${token}`;
  return address === 'command' ? 'a command' : 'an admin';
};
