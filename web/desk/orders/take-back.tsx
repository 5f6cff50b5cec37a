import type { DeskOrder, Settlement } from '../../../contract/desk/orders.ts';
import { Price } from '../../components/price.tsx';
import { WithdrawalForm } from '../../components/withdrawal-form.tsx';
import { storeConfig } from '../../store-config.ts';
import { useAct, useDone } from '../acts.tsx';
import { Time } from '../time.tsx';
import { settle, withdraw } from './api.ts';
import styles from './orders.module.css';

/** Withdraws an order for its buyer, or cancels one that is not sent; and then notes what became of it. */
export const TakeBack = ({ order }: { order: DeskOrder }) => {
  const { _id, state, title, buyer, price } = order;
  const tell = useDone();
  if (state === 'withdrawn') return <Withdrawn order={order} />;
  const isCancelled = state === 'new';
  return (
    <WithdrawalForm
      opener={isCancelled ? 'Cancel the order' : 'Withdraw the order'}
      confirm={isCancelled ? 'Confirm cancellation' : 'Confirm withdrawal'}
      title={`${title}, for ${buyer.name || 'an erased customer'}`}
      withdraw={async (reason) => tell({ changed: [await withdraw(_id, reason)] })}
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
      <Mark order={order} name="Refunded" isSet={refundedAt !== null} as={(isRefunded) => ({ isRefunded })} />
      {sentAt !== null && (
        <Mark
          order={order}
          name="Returned"
          isSet={returnedAt !== null}
          as={(isReturned) => ({ isReturned })}
        />
      )}
    </span>
  );
};

type MarkProps = { order: DeskOrder; name: string; isSet: boolean; as: (isSet: boolean) => Settlement };

/** A box to tick: what became of a withdrawn order. */
const Mark = ({ order: { _id, title }, name, isSet, as }: MarkProps) => {
  const { act, isBusy } = useAct();
  const run = async () => ({ changed: [await settle(_id, as(!isSet))] });
  return (
    <label className="choice">
      <input
        type="checkbox"
        // At once, and not only when the store has answered.
        checked={isBusy ? !isSet : isSet}
        onChange={() => !isBusy && act({ run, problem: 'It was not noted.' })}
        aria-label={`${name}: ${title}`}
      />
      {name}
    </label>
  );
};
