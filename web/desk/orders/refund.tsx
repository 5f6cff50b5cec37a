import type { DeskOrder, Settlement } from '../../../contract/desk/orders.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { amountToCents, centsToAmount } from '../../../contract/money.ts';
import { send } from '../../api/calls.ts';
import { InlineForm } from '../../components/inline-form.tsx';
import { Price } from '../../components/price.tsx';
import { money } from '../../store-config.ts';
import { ActTick, useTell } from '../acts.tsx';
import { Time } from '../time.tsx';

export const sendSettlement = ({ _id }: DeskOrder, settlement: Settlement): Promise<void> =>
  send('POST', deskPaths.orderSettle(_id), settlement, { keepalive: true });

/** What an order's buyer is to get back: of a withdrawn or cancelled order all that came, of another one what came beside its total. */
const amountToRefund = ({ state, total, payment }: DeskOrder): number => {
  if (!payment || payment.state === 'due') return 0;
  const isKept = payment.state === 'paid' && state !== 'withdrawn' && state !== 'cancelled';
  const cents = (amount: number) => amountToCents(amount) ?? 0;
  return centsToAmount(cents(payment.paid) - cents(payment.refunded) - (isKept ? cents(total) : 0));
};

/** A button that sends money back: by the provider that took it, or, of a transfer, by the owner, who is told what to send. */
export const Refund = ({ order }: { order: DeskOrder }) => {
  const tell = useTell();
  const amount = amountToRefund(order);
  if (amount <= 0) return null;
  // A payment that came too late has no way: the store has refunded it, unless it was a transfer.
  const isByHand = (order.payment?.way ?? 'transfer') === 'transfer';
  const refund = async () => {
    await sendSettlement(order, { isRefunded: true });
    await tell({ text: `Refunded ${money.format(amount)}.` });
  };
  return (
    <InlineForm
      opener={`Refund ${money.format(amount)}`}
      about={order.title}
      confirm={isByHand ? 'It’s sent' : 'Confirm refund'}
      isPrimary
      cancel="Cancel"
      send={refund}
      failure="It was not refunded."
      refusals={{}}
    >
      {() => (
        <p ref={takeFocus} tabIndex={-1}>
          {isByHand ? (
            <>
              Send <Price value={amount} /> back to the account that it came from, with the reference{' '}
              <strong>{order.number}</strong>. Your bank’s statement has the account.
            </>
          ) : (
            <>
              This sends <Price value={amount} /> back to the buyer. It cannot be undone.
            </>
          )}
        </p>
      )}
    </InlineForm>
  );
};

const takeFocus = (text: HTMLElement | null): void => text?.focus();

/** Whether a withdrawn order is refunded. */
export const RefundOfWithdrawn = ({ order }: { order: DeskOrder }) => {
  const { title, payment, refundedAt } = order;
  if (amountToRefund(order) > 0) return <Refund order={order} />;
  if (payment?.state === 'expired') return <span>Nothing was paid</span>;
  if (payment && payment.way !== 'transfer')
    return <span>Refunded {refundedAt && <Time iso={refundedAt} />}</span>;
  return (
    <ActTick
      name="Refunded"
      what={title}
      isSet={refundedAt !== null}
      run={() => sendSettlement(order, { isRefunded: refundedAt === null })}
      problem="It was not noted."
    />
  );
};
