import type { DeskOrder } from '../../contract/desk/orders.ts';
import { Tag } from './tag.tsx';

const stateNames: Record<DeskOrder['state'], string> = { new: 'New', sent: 'Sent', withdrawn: 'Withdrawn' };

/** The state of an order. It stands out while the owner has something to do: to send the book, or to give the money back. */
export const StateTag = ({ order: { state, refundedAt } }: { order: DeskOrder }) => (
  <Tag isCalling={state === 'new'} isOpen={state === 'withdrawn' && refundedAt === null}>
    {stateNames[state]}
  </Tag>
);
