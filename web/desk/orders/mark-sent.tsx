import { maxTrackingLength } from '../../../contract/delivery-address.ts';
import type { DeskOrder } from '../../../contract/desk/orders.ts';
import { EditForm } from '../edit-form.tsx';
import { markAsSentWith } from './marks.ts';

/** Marks an order as sent, with how to follow its parcel. Of one that is sent already, it changes this alone. */
export const MarkSent = ({ order, onDone }: { order: DeskOrder; onDone: () => void }) => {
  const isSent = order.state === 'sent';
  return (
    <EditForm
      fields={[field]}
      values={{ tracking: order.tracking ?? '' }}
      save={async ({ tracking }) => {
        const done = await markAsSentWith(tracking).run([order]);
        return isSent ? { text: 'Saved.' } : done;
      }}
      problem="The order was not changed."
      word={isSent ? 'Save tracking' : 'Mark as sent'}
      variant={isSent ? 'secondary' : 'primary'}
      onDone={onDone}
    />
  );
};

const field = {
  name: 'tracking',
  label: 'Tracking',
  maxLength: maxTrackingLength,
  hint: 'An https address, or a carrier and its number, for the buyer.',
} as const;
