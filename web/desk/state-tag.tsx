import type { DeskOrder } from '../../contract/desk/orders.ts';
import { asksAddress } from '../store-config.ts';

/** The name of each state, and that of an order which its buyer collects. */
const stateNames: Record<DeskOrder['state'], readonly [name: string, collected?: string]> = {
  new: ['To send', 'To hand over'],
  sent: ['Sent', 'Handed over'],
  withdrawn: ['Withdrawn'],
  cancelled: ['Cancelled'],
};

export const isCancelled = ({ withdrawnBy, sentAt }: DeskOrder) => withdrawnBy === 'shop' && !sentAt;

/** The state of an order. It stands out while the owner must send the book, or give the money back. */
export const StateTag = ({ order }: { order: DeskOrder }) => {
  const { state, refundedAt, payment } = order;
  if (payment?.state === 'due') return <span className="tag">To be paid</span>;
  // The provider refunded this order, so it cannot be sent: the owner withdraws it.
  if (state === 'new' && payment?.state === 'refunded') return <span className="tag open">Refunded</span>;
  const isOpen = state === 'withdrawn' && refundedAt === null && payment?.state !== 'expired';
  const [name, collected = name] = stateNames[isCancelled(order) ? 'cancelled' : state];
  return (
    <span className={`tag ${state === 'new' ? 'calling' : isOpen ? 'open' : ''}`}>
      {asksAddress(order) ? name : collected}
    </span>
  );
};
