import type { DeskOrder, Settlement } from '../../../contract/desk/orders.ts';
import { Price } from '../../components/price.tsx';
import { WithdrawalForm } from '../../components/withdrawal-form.tsx';
import { storeConfig } from '../../store-config.ts';
import { ActTick, useTell } from '../acts.tsx';
import { Time } from '../time.tsx';
import { settle, withdraw } from './api.ts';
import styles from './orders.module.css';

/** Withdraws an order for its buyer, or cancels one that is not sent; and then notes what became of it. */
export const TakeBack = ({ order }: { order: DeskOrder }) => {
  const { _id, state, title, buyer, price } = order;
  const tell = useTell();
  if (state === 'withdrawn') return <Withdrawn order={order} />;
  const isCancelled = state === 'new';
  return (
    <WithdrawalForm
      opener={isCancelled ? 'Cancel the order' : 'Withdraw the order'}
      confirm={isCancelled ? 'Confirm cancellation' : 'Confirm withdrawal'}
      title={`${title}, for ${buyer.name || 'an erased customer'}`}
      withdraw={async (reason) => {
        await withdraw(_id, reason);
        await tell({});
      }}
    >
      {isCancelled ? 'This cancels the order of' : 'This withdraws the order of'}{' '}
      <cite dir="auto">{title}</cite> for <Price value={price} />. It cannot be undone.
      {buyer.email && storeConfig.sendsMail && ' The buyer gets a mail, with the reason.'}
    </WithdrawalForm>
  );
};

/** What became of a withdrawn order is ticked. */
const Withdrawn = ({ order }: { order: DeskOrder }) => {
  const { _id, title, sentAt, withdrawnAt, withdrawnBy, withdrawalReason, refundedAt, returnedAt } = order;
  const tick = (name: string, isSet: boolean, as: (isSet: boolean) => Settlement) => (
    <ActTick
      name={name}
      what={title}
      isSet={isSet}
      run={() => settle(_id, as(!isSet))}
      problem="It was not noted."
    />
  );
  return (
    <span className="cluster soft">
      <span>
        Withdrawn {withdrawnAt && <Time iso={withdrawnAt} />}, by the{' '}
        {withdrawnBy === 'shop' ? 'shop' : 'buyer'}
      </span>
      {withdrawalReason && (
        <span className={`lines ${styles.reason}`} dir="auto">
          {withdrawalReason}
        </span>
      )}
      {tick('Refunded', refundedAt !== null, (isRefunded) => ({ isRefunded }))}
      {sentAt !== null && tick('Returned', returnedAt !== null, (isReturned) => ({ isReturned }))}
    </span>
  );
};
