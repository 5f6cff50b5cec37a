import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { groupIban } from '../../../contract/iban.ts';
import type { Order } from '../../../contract/order.ts';
import { paymentPaths } from '../../../contract/payments.ts';
import { apiOrigin, retryTransient } from '../../api/client.ts';
import { payOrder, transferQuery } from '../../api/orders.ts';
import { Button } from '../../components/button.tsx';
import { times } from '../../components/days.ts';
import { Fact } from '../../components/fact.tsx';
import { Fetched } from '../../components/fetched.tsx';
import { Problem } from '../../components/notice.tsx';
import { withReason } from '../../components/with-reason.ts';
import { copyText } from '../../memory/platform-later.ts';
import { money } from '../../store-config.ts';

type Payment = NonNullable<Order['payment']>;

export const isDue = ({ payment }: Order): boolean => payment?.state === 'due';

/** A refund may be less than the total: a part of it, what came twice, or what came too late, which paid nothing. */
const stateText = ({ state, refunded }: Payment, ofOrder: Order['state']): string => {
  if (state === 'paid' && refunded) return `Paid; ${money.format(refunded)} went back`;
  if (state === 'paid') return ofOrder === 'withdrawn' ? 'Paid; not refunded yet' : 'Paid';
  return state === 'refunded' || refunded ? 'Refunded' : 'Not paid';
};

/** The state of an order's payment. One that is due has the time until which it can be paid, and a button for each way. */
export const PaymentOfOrder = ({ order: { _id, state, total, payment } }: { order: Order }) => {
  const queryClient = useQueryClient();
  const paying = useMutation({
    mutationFn: async (way: string) => {
      if (way !== 'transfer') window.location.assign((await payOrder(_id, way)).url);
    },
    retry: retryTransient,
    // A refusal tells that the order has changed, for example by a payment in another tab.
    onError: () => queryClient.invalidateQueries(),
  });
  const { error, isPending, variables: chosen } = paying;
  // The buyer has just withdrawn a due order on this screen.
  if (payment?.state !== 'due' || state === 'withdrawn') return payment && stateText(payment, state);
  return (
    <div className="stack tight">
      <p>To be paid by {times.format(new Date(payment.until))}</p>
      <p className="cluster" data-no-print>
        {payment.ways.map((way, at) => (
          <Button
            key={way}
            variant={at === 0 ? 'primary' : 'secondary'}
            isBusy={isPending}
            aria-expanded={way === 'transfer' ? chosen === way : undefined}
            onClick={() => paying.mutate(way)}
          >
            Pay {money.format(total)}
            {payment.ways.length > 1 && (way === 'transfer' ? ' by transfer' : ' online')}
          </Button>
        ))}
      </p>
      <Problem text={error && withReason('It was not paid.', error)} />
      {chosen === 'transfer' && <TransferDetails id={_id} />}
    </div>
  );
};

const TransferDetails = ({ id }: { id: string }) => (
  <Fetched query={useQuery(transferQuery(id))} problem="The account could not be fetched.">
    {({ iban, name, bic, amount, reference, text }) => (
      <div className="split">
        <dl className="facts ruled">
          <Line name="Recipient" shown={name} />
          <Line name="IBAN" shown={groupIban(iban)} text={iban} />
          {bic && <Line name="BIC" shown={bic} />}
          <Line name="Amount" shown={money.format(amount)} text={amountForForms(amount)} />
          <Line name="Reference" shown={reference} />
        </dl>
        {text && (
          <figure className="soft">
            <img
              src={`${apiOrigin}${paymentPaths.transferCode(id)}`}
              alt="The transfer as a QR code"
              width="176"
              height="176"
            />
            <figcaption>Scan it with your banking app</figcaption>
          </figure>
        )}
      </div>
    )}
  </Fetched>
);

/** A line with a button that copies it. @param text the line as the form of a bank takes it. */
const Line = ({ name, shown, text = shown }: { name: string; shown: string; text?: string }) => {
  const [result, setResult] = useState('');
  const copy = async () => setResult((await copyText(text)) ? 'Copied' : 'Not copied');
  return (
    <Fact name={name}>
      <span className="cluster ends whole">
        <bdi>{shown}</bdi>
        <Button variant="subtle" aria-label={`Copy: ${name}`} onClick={copy}>
          {result || 'Copy'}
        </Button>
        <output className="hidden">{result}</output>
      </span>
    </Fact>
  );
};

/** The form of a bank reads a decimal comma where the browser's language has one. */
const amountForForms = (amount: number): string =>
  amount.toLocaleString(undefined, { useGrouping: false, minimumFractionDigits: money.decimals });
