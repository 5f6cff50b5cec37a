import { Link } from 'wouter';
import type { DeskOrder } from '../../../contract/desk/orders.ts';
import { deskViewAddress } from '../../../contract/desk/paths.ts';
import { OneLine } from '../columns.tsx';
import { Withdrawn } from './take-back.tsx';

/** The cell of an order's row with its buyer and address, and, after a withdrawal, what became of it. */
export const Buyer = ({ order }: { order: DeskOrder }) => {
  const { name, email } = order.buyer;
  return (
    <>
      <div>{email === '' ? <span className="soft">An erased customer</span> : name}</div>
      {email && (
        <Link
          className="linkish soft"
          href={deskViewAddress('customers', { q: email })}
          aria-label={`The customer ${email}`}
        >
          <OneLine>{email}</OneLine>
        </Link>
      )}
      <Address order={order} />
      {order.state === 'withdrawn' && <Withdrawn order={order} />}
    </>
  );
};

/** The address of an order. Orders from before `DELIVERY=off` may have one too. */
export const Address = ({ order: { deliveryAddress, addressCorrectedAt } }: { order: DeskOrder }) => (
  <div className="cluster tight soft">
    {deliveryAddress !== null && (
      <p className="lines" dir="auto">
        <strong>To: </strong>
        {deliveryAddress}
      </p>
    )}
    {addressCorrectedAt !== null && <span className="tag">Corrected</span>}
  </div>
);
