/** The mail of orders: sent, given up, or kept back from an address that is not verified. */

import type { Kind, Order, Shop } from './shop.ts';

/** The messages to the buyer, each with the notice to the shop about the same event. */
const noticeOf: Partial<Record<Kind, Kind>> = { receipt: 'notice', acknowledgement: 'withdrawalNotice' };

/** Mail that an address refuses is given up. An address that is not verified gets nothing until the owner asks for it. */
export function sendMail({ orders, now }: Shop): void {
  for (const order of orders.filter(({ mailDueAt }) => mailDueAt !== null)) {
    const { mailed, buyer } = order;
    const kinds: Kind[] = order.orderMailEndedAt === null ? ['receipt', 'notice'] : [];
    if (order.withdrawnAt !== null) kinds.push('acknowledgement', 'withdrawalNotice');
    const unsent = kinds.filter((kind) => mailed[kind] === undefined);
    const decided = unsent.filter((kind) => !noticeOf[kind] || mailed[noticeOf[kind]] !== undefined);
    const toSend = decided.length === unsent.length || buyer.person.isVerified ? unsent : decided;
    const refused = toSend.filter((kind) => noticeOf[kind] && buyer.person.bounces);
    for (const kind of toSend) if (!refused.includes(kind)) mailed[kind] = now;
    Object.assign(order, { mailDueAt: null, hasFailedMail: refused.length > 0 });
  }
}

/** The owner asks for mail that was given up or kept back. */
export function retryMail({ now }: Shop, order: Order): void {
  const { mailed, hasFailedMail } = order;
  const lacksReceipt = mailed.notice !== undefined && !mailed.receipt && order.orderMailEndedAt === null;
  const lacksOther = mailed.withdrawalNotice !== undefined && !mailed.acknowledgement;
  if (order.email !== '' && (hasFailedMail || lacksReceipt || lacksOther)) order.mailDueAt ??= now;
}
