import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Order } from '../../../contract/order.ts';
import { codeOf, retryTransient } from '../../api/client.ts';
import { payOrder } from '../../api/orders.ts';
import { Button } from '../../components/button.tsx';
import { timeText } from '../../components/days.ts';
import { withReason } from '../../components/with-reason.ts';
import { money } from '../../store-config.ts';
import { TransferDetails } from './transfer.tsx';

type Payment = NonNullable<Order['payment']>;

const stateTexts: Readonly<Record<Exclude<Payment['state'], 'due'>, string>> = {
  paid: 'Paid',
  refunded: 'Refunded',
  expired: 'Not paid',
};

/** What became of an order's payment, or how to pay it. */
export const PaymentOfOrder = ({ order, payment }: { order: Order; payment: Payment }) =>
  payment.state === 'due' ? <Pay order={order} payment={payment} /> : stateTexts[payment.state];

export const isDue = ({ payment }: Order): boolean => payment?.state === 'due';

export const dueText = ({ until }: Payment): string => `To be paid by ${timeText(new Date(until))}`;

/** How a button names a way to pay, if there are several. */
const wayNames: Readonly<Record<string, string>> = {
  transfer: 'by transfer',
  stripe: 'by card',
};

/** Until when an order can be paid, and a button for each way. */
export const Pay = ({ order: { _id, total }, payment }: { order: Order; payment: Payment }) => {
  const { ways } = payment;
  const id = useId();
  const [isTransfer, setIsTransfer] = useState(false);
  const queryClient = useQueryClient();
  const paying = useMutation({
    mutationFn: (way: string) => payOrder(_id, way),
    retry: retryTransient,
    onSuccess: ({ url }) => window.location.assign(url),
    // A refusal tells that the order has changed, for example by a payment in another tab.
    onError: () => queryClient.invalidateQueries(),
  });
  const { error, isPending } = paying;
  return (
    <div className="stack tight">
      <p>{dueText(payment)}</p>
      <p className="cluster" data-no-print>
        {ways.map((way, at) => (
          <Button
            key={way}
            variant={at === 0 ? 'primary' : 'secondary'}
            {...(way === 'transfer'
              ? {
                  'aria-expanded': isTransfer,
                  'aria-controls': id,
                  onClick: () => setIsTransfer(!isTransfer),
                }
              : { isBusy: isPending, onClick: () => paying.mutate(way) })}
          >
            Pay {money.format(total)}
            {ways.length > 1 && ` ${wayNames[way] ?? 'online'}`}
          </Button>
        ))}
      </p>
      {error && (
        <p className="problem" role="alert">
          {codeOf(error) === 'ALREADY_PAID' ? 'It is paid already.' : withReason('It was not paid.', error)}
        </p>
      )}
      <div id={id}>{isTransfer && <TransferDetails id={_id} />}</div>
    </div>
  );
};
