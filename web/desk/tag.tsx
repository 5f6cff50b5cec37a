import type { ReactNode } from 'react';
import type { DeskOrder } from '../../contract/desk/orders.ts';

/** `isCalling`: it waits for the owner. `isOpen`: something is left to do. */
type TagProps = { isCalling?: boolean; isOpen?: boolean; children: ReactNode };

/** The state of something, in a word. */
export const Tag = ({ isCalling, isOpen, children }: TagProps) => (
  <span className={`tag ${isCalling ? 'calling' : ''} ${isOpen ? 'open' : ''}`}>{children}</span>
);

const stateNames: Record<DeskOrder['state'], string> = { new: 'New', sent: 'Sent', withdrawn: 'Withdrawn' };

/** The state of an order. It stands out while the owner has something to do: to send the book, or to give the money back. */
export const StateTag = ({ order: { state, refundedAt } }: { order: DeskOrder }) => (
  <Tag isCalling={state === 'new'} isOpen={state === 'withdrawn' && refundedAt === null}>
    {stateNames[state]}
  </Tag>
);
