import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { maxTrackingLength } from '../../../contract/delivery-address.ts';
import { maxNoteLength } from '../../../contract/desk/limits.ts';
import type { DeskOrder, OrderNote, OrderWithHistory } from '../../../contract/desk/orders.ts';
import { deskPaths, deskViewAddress } from '../../../contract/desk/paths.ts';
import { read, send } from '../../api/calls.ts';
import { Cover } from '../../components/cover.tsx';
import { Fact } from '../../components/fact.tsx';
import { Fetched } from '../../components/fetched.tsx';
import { Lines } from '../../components/lines.tsx';
import { AddressForm } from '../../components/order-forms.tsx';
import { Price } from '../../components/price.tsx';
import { asksAddress, money } from '../../store-config.ts';
import { sentenceOf, whoOf } from '../activity-texts.ts';
import { ActButtons, useTell } from '../acts.tsx';
import { EditForm } from '../edit-form.tsx';
import type { PanelOf } from '../list-view.tsx';
import { buyerName, StateTag } from '../order-columns.tsx';
import styles from '../panel.module.css';
import { Panel } from '../panel.tsx';
import { Time } from '../time.tsx';
import { isToBeSent, markAsSent, markAsSentWith, marks, Refund, TakeBack, Withdrawn } from './order-acts.tsx';

export const OrderPanel = ({ id, close }: PanelOf) => (
  <Panel heading="Order" onClose={close}>
    <Fetched
      query={useQuery(read<OrderWithHistory>('desk', deskPaths.order(id)))}
      problem="The order could not be fetched."
    >
      {({ order, history }) => (
        <>
          <Facts order={order} />
          {asksAddress(order) && (isToBeSent(order) || order.state === 'sent') && (
            <MarkSent order={order} onDone={close} />
          )}
          <div className="cluster">
            <ActButtons acts={marks.filter((one) => one !== markAsSent)} rows={[order]} onDone={close} />
            {(order.state === 'new' || order.state === 'sent') && <TakeBack order={order} />}
            {order.state !== 'withdrawn' && <Refund order={order} />}
          </div>
          {order.state === 'withdrawn' && <Withdrawn order={order} />}
          {/* An erased customer's order has no note: it may be about the person. */}
          {order.buyer.email !== '' && <Note order={order} />}
          <History order={order} history={history} />
        </>
      )}
    </Fetched>
  </Panel>
);

const paidHow: Readonly<Record<string, string>> = { transfer: 'by transfer', hand: 'marked by hand' };

const Facts = ({ order }: { order: DeskOrder }) => {
  const { _id, number, title, author, bookId, image = '', buyer, price, placedAt, state } = order;
  const { delivery, deliveryAddress, addressCorrectedAt, total, gift, payment } = order;
  const tell = useTell();
  const setAddress = async (deliveryAddress: string) => {
    await send('PATCH', deskPaths.order(_id), { deliveryAddress });
    await tell({ text: 'Saved.' });
  };
  return (
    <div className={`stack ${styles.covered}`}>
      <Cover book={{ _id: bookId, title, author, image }} />
      <dl className="facts">
        <Fact name="Book">
          <Link href={deskViewAddress('books', { q: bookId })}>
            <cite dir="auto">{title}</cite>
          </Link>
          , <bdi>{author}</bdi>
        </Fact>
        <Fact name={delivery ? 'Total' : 'Price'}>
          <Price value={total} /> <StateTag order={order} />
          {delivery && (
            <span className="second">
              Book <Price value={price} />, <bdi>{delivery.name}</bdi>
              {delivery.price > 0 && ` ${money.format(delivery.price)}`}
              {delivery.payOnCollection && ', paid on collection'}
            </span>
          )}
        </Fact>
        <Fact name="Gift" className="lines" dir="auto">
          {gift && (gift.text || 'Without words')}
        </Fact>
        <Fact name="Buyer">
          <bdi>{buyerName(buyer)}</bdi>{' '}
          {buyer.email && <Link href={deskViewAddress('customers', { q: buyer.email })}>{buyer.email}</Link>}
        </Fact>
        <Fact name="Send to">
          {/* Orders from before `DELIVERY=off` may have an address too. */}
          {(asksAddress(order) || deliveryAddress !== null) && (
            <>
              <Lines text={deliveryAddress} />
              {addressCorrectedAt !== null && <span className="tag">Corrected</span>}{' '}
              {state === 'new' && buyer.email !== '' && (
                <AddressForm title={title} text={deliveryAddress ?? undefined} send={setAddress} />
              )}
            </>
          )}
        </Fact>
        <Fact name="To be paid by">{payment?.state === 'due' && <Time iso={payment.until} />}</Fact>
        <Fact name="Paid">
          {payment && payment.paid > 0 && (
            <>
              <Price value={payment.paid} /> {paidHow[payment.way ?? ''] ?? 'online'}{' '}
              {payment.paidAt && <Time iso={payment.paidAt} />}
            </>
          )}
        </Fact>
        <Fact name="Refunded">{payment && payment.refunded > 0 && <Price value={payment.refunded} />}</Fact>
        <Fact name="Placed">
          <Time iso={placedAt} />
        </Fact>
        <Fact name="Number">{number}</Fact>
      </dl>
    </div>
  );
};

/** Marks an order as sent, with how to follow its parcel. For an order that is sent already, it changes the tracking alone. */
const MarkSent = ({ order, onDone }: { order: DeskOrder; onDone: () => void }) => {
  const isSent = order.state === 'sent';
  return (
    <EditForm
      fields={[
        {
          name: 'tracking',
          label: 'Tracking',
          maxLength: maxTrackingLength,
          hint: 'An https address, or a carrier and its number, for the buyer.',
        },
      ]}
      values={order}
      save={async ({ tracking }) => {
        const done = await markAsSentWith(tracking).run([order]);
        return isSent ? undefined : done;
      }}
      word={isSent ? 'Save tracking' : 'Mark as sent'}
      variant={isSent ? 'secondary' : 'primary'}
      {...(!isSent && { onDone })}
    />
  );
};

const Note = ({ order: { _id, note } }: { order: DeskOrder }) => (
  <EditForm
    fields={[{ name: 'note', label: 'Private note', type: 'lines', maxLength: maxNoteLength }]}
    values={{ note }}
    save={async (noted: OrderNote) => {
      await send('POST', deskPaths.orderNote(_id), noted);
      return undefined;
    }}
    word="Save note"
    variant="secondary"
  />
);

/** The history of an order, newest first: acts on the desk, and acts of its buyer. */
const History = ({ order, history }: OrderWithHistory) => {
  const { placedAt, withdrawnAt, withdrawnBy, addressCorrectedAt, buyer } = order;
  // An entry of the trail is written shortly after the event itself.
  const wasSetHere = history.some(
    ({ action, at }) => action === 'order-address-set' && at >= (addressCorrectedAt ?? ''),
  );
  const byBuyer = (words: string, at: string | null) => (at ? [{ at, words, who: 'the buyer' }] : []);
  const events = [
    ...history.map((entry) => ({ at: entry.at, words: sentenceOf(entry), who: whoOf(entry) })),
    ...byBuyer('Withdrawn', withdrawnBy === 'customer' ? withdrawnAt : null),
    ...byBuyer('Address corrected', wasSetHere ? null : addressCorrectedAt),
    { at: placedAt, words: 'Placed', who: buyerName(buyer) },
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
