import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { DeskOrder, Settlement } from '../../../contract/desk/orders.ts';
import { retryTransient } from '../../api/client.ts';
import { showOrders } from '../../api/desk-order-queries.ts';
import { settleOrder, withdrawForShop } from '../../api/desk-queries.ts';
import { Price } from '../../components/price.tsx';
import { withReason } from '../../components/with-reason.ts';
import { WithdrawalForm } from '../../components/withdrawal-form.tsx';
import { storeConfig } from '../../store-config.ts';
import { Time } from '../time.tsx';
import styles from './take-back.module.css';

/** Withdraws an order for its buyer, or cancels one that is not sent; and then notes what became of it. */
export const TakeBack = ({ order }: { order: DeskOrder }) => {
  const { _id, state, title, buyer, price } = order;
  const queryClient = useQueryClient();
  if (state === 'withdrawn') return <Withdrawn order={order} />;
  const isCancelled = state === 'new';
  return (
    <WithdrawalForm
      opener={isCancelled ? 'Cancel the order' : 'Withdraw the order'}
      confirm={isCancelled ? 'Confirm cancellation' : 'Confirm withdrawal'}
      title={`${title}, for ${buyer.name || 'an erased customer'}`}
      withdraw={async (reason) => showOrders(queryClient, [await withdrawForShop(_id, reason)])}
    >
      {isCancelled ? 'This cancels the order of' : 'This withdraws the order of'}{' '}
      <cite dir="auto">{title}</cite> for <Price value={price} />. It cannot be undone.
      {buyer.email && storeConfig.sendsMail && ' The buyer gets a mail, with the reason.'}
    </WithdrawalForm>
  );
};

const Withdrawn = ({ order }: { order: DeskOrder }) => {
  const { sentAt, withdrawnAt, withdrawnBy, withdrawalReason, refundedAt, returnedAt } = order;
  return (
    <span className={styles.withdrawn}>
      <span>
        Withdrawn {withdrawnAt && <Time iso={withdrawnAt} />}, by the{' '}
        {withdrawnBy === 'shop' ? 'shop' : 'buyer'}
      </span>
      {withdrawalReason && (
        <span className={styles.reason} dir="auto">
          {withdrawalReason}
        </span>
      )}
      <Mark
        order={order}
        name="Refunded"
        isSet={refundedAt !== null}
        settlement={(isRefunded) => ({ isRefunded })}
      />
      {sentAt !== null && (
        <Mark
          order={order}
          name="Returned"
          isSet={returnedAt !== null}
          settlement={(isReturned) => ({ isReturned })}
        />
      )}
    </span>
  );
};

type MarkProps = {
  order: DeskOrder;
  name: string;
  isSet: boolean;
  settlement: (isSet: boolean) => Settlement;
};

/** A box to tick: what became of a withdrawn order. */
const Mark = ({ order: { _id, title }, name, isSet, settlement }: MarkProps) => {
  const queryClient = useQueryClient();
  const settling = useMutation({
    mutationFn: (isTicked: boolean) => settleOrder(_id, settlement(isTicked)),
    retry: retryTransient,
    onSuccess: (order) => showOrders(queryClient, [order]),
  });
  return (
    <>
      <label>
        <input
          type="checkbox"
          // At once, and not only when the store has answered.
          checked={settling.isPending ? settling.variables : isSet}
          onChange={({ target }) => {
            if (!settling.isPending) settling.mutate(target.checked);
          }}
          aria-label={`${name}: ${title}`}
        />
        {name}
      </label>
      <span role="status">{settling.isError && withReason('It was not noted.', settling.error)}</span>
    </>
  );
};
