import type { DeskOrder } from '../../../contract/desk/orders.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { send } from '../../api/calls.ts';
import { Price } from '../../components/price.tsx';
import { WithdrawalForm } from '../../components/withdrawal-form.tsx';
import { storeConfig } from '../../store-config.ts';
import { ActTick, useTell } from '../acts.tsx';
import { buyerName } from '../buyer-name.ts';
import { Time } from '../time.tsx';
import { RefundOfWithdrawn, sendSettlement } from './refund.tsx';

/** Withdraws an order for its buyer, or cancels an order that is not sent. */
export const TakeBack = ({ order: { _id, state, title, buyer, total } }: { order: DeskOrder }) => {
  const tell = useTell();
  const isCancelled = state === 'new';
  return (
    <WithdrawalForm
      opener={isCancelled ? 'Cancel the order' : 'Withdraw the order'}
      confirm={isCancelled ? 'Confirm cancellation' : 'Confirm withdrawal'}
      title={`${title}, for ${buyerName(buyer)}`}
      withdraw={async (reason) => {
        await send('POST', deskPaths.orderWithdraw(_id), reason.trim() ? { reason } : {});
        await tell({ text: isCancelled ? 'Cancelled.' : 'Withdrawn.' });
      }}
    >
      {isCancelled ? 'This cancels the order of' : 'This withdraws the order of'}{' '}
      <cite dir="auto">{title}</cite> for <Price value={total} />. It cannot be undone.
      {buyer.email && storeConfig.sendsMail && ' The buyer gets a mail, with the reason.'}
    </WithdrawalForm>
  );
};

/** Shows who withdrew an order, with checkboxes for what the owner has done since. */
export const Withdrawn = ({ order }: { order: DeskOrder }) => {
  const { title, sentAt, withdrawnAt, withdrawnBy, withdrawalReason, returnedAt } = order;
  return (
    <div className="soft">
      <p>
        Withdrawn {withdrawnAt && <Time iso={withdrawnAt} />}, by the{' '}
        {withdrawnBy === 'shop' ? 'shop' : 'buyer'}
      </p>
      {withdrawalReason && (
        <p className="lines" dir="auto">
          {withdrawalReason}
        </p>
      )}
      <div className="cluster">
        <RefundOfWithdrawn order={order} />
        {sentAt !== null && (
          <ActTick
            name="Returned"
            what={title}
            isSet={returnedAt !== null}
            run={() => sendSettlement(order, { isReturned: returnedAt === null })}
            problem="It was not noted."
          />
        )}
      </div>
    </div>
  );
};
