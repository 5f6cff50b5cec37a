import { Link } from 'wouter';
import type { DeskOrder } from '../../../contract/desk/orders.ts';
import { deskViewAddress } from '../../../contract/desk/paths.ts';
import { Lines } from '../../components/lines.tsx';
import { buyerName } from '../buyer-name.ts';
import { OneLine } from '../columns.tsx';
import { Withdrawn } from './take-back.tsx';

type Props = { order: DeskOrder };

export const Buyer = ({ order }: Props) => {
  const { email } = order.buyer;
  return (
    <>
      <div>{buyerName(order.buyer)}</div>
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

/** The way and the address of an order. Orders from before `DELIVERY=off` may have one too. */
export const Address = ({ order: { delivery, deliveryAddress, addressCorrectedAt } }: Props) => (
  <div className="soft">
    {delivery && <p dir="auto">{delivery.name}</p>}
    <div className="cluster tight">
      <Lines text={deliveryAddress && `To: ${deliveryAddress}`} />
      {addressCorrectedAt !== null && <span className="tag">Corrected</span>}
    </div>
  </div>
);
