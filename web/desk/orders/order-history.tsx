import type { ActivityEntry } from '../../../contract/desk/activity.ts';
import type { OrderWithHistory } from '../../../contract/desk/orders.ts';
import { sentenceOf } from '../activity-texts.ts';
import { Time } from '../time.tsx';

/** The history of an order, newest first: acts on the desk, and those of its buyer. */
export const OrderHistory = ({ order, history }: OrderWithHistory) => {
  const { placedAt, withdrawnAt, withdrawnBy, addressCorrectedAt, buyer } = order;
  const wasSetHere = history.some(
    ({ action, at }) => action === 'order-address-set' && isNear(at, addressCorrectedAt),
  );
  const events = [
    ...history.map((entry) => ({ at: entry.at, words: sentenceOf(entry), who: whoOf(entry) })),
    ...(withdrawnAt !== null && withdrawnBy === 'customer'
      ? [{ at: withdrawnAt, words: 'Withdrawn', who: 'the buyer' }]
      : []),
    ...(addressCorrectedAt !== null && !wasSetHere
      ? [{ at: addressCorrectedAt, words: 'Address corrected', who: 'the buyer' }]
      : []),
    { at: placedAt, words: 'Placed', who: buyer.name || 'an erased customer' },
  ].sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
  return (
    <section className="stack tight">
      <h3>History</h3>
      <ol className="ruled">
        {events.map(({ at, words, who }) => (
          <li key={`${at} ${words}`} className="cluster ends">
            <span>
              {words}, by <bdi>{who}</bdi>
            </span>
            <span className="soft">
              <Time iso={at} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
};

/** One transaction writes both times. */
const isNear = (at: string, other: string | null): boolean =>
  other !== null && Math.abs(Date.parse(at) - Date.parse(other)) < 5_000;

const whoOf = ({ email, token, address }: ActivityEntry): string => {
  if (email !== null) return email;
  if (token !== null) return `the token ${token}`;
  return address === 'command' ? 'a command' : 'an admin';
};
