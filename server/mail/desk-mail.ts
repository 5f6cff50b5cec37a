import type { DeskMail, MailKind } from '../../contract/desk/mail.ts';
import { timeOrNull, timeText } from '../database/times.ts';
import { receiptLimitReached } from '../outbox/delivery-error.ts';
import type { MailMode } from './mail.ts';
import { subjectOf } from './messages.ts';
import { mailState, type OrderMail } from './order-mail.ts';

export function presentMail(order: OrderMail, mode: MailMode): DeskMail {
  const { messages } = order;
  const sentAt = (kind: MailKind) =>
    timeOrNull(messages.find((message) => message.kind === kind)?.done_at ?? null);
  const due = messages.flatMap(({ due_at }) => due_at ?? []);
  const errors = new Set(messages.flatMap(({ error }) => error ?? []));
  return {
    _id: order.id,
    to: order.buyerEmail,
    subject: subjectOf(order.withdrawnAt === null ? 'receipt' : 'acknowledgement', order),
    state: mailState(order) ?? (mode === 'shown' ? 'shown' : 'none'),
    placedAt: timeText(order.placedAt),
    attempts: Math.max(0, ...messages.map(({ attempts }) => attempts)),
    nextAttemptAt: due.length === 0 ? null : timeText(Math.min(...due)),
    receiptSentAt: sentAt('receipt'),
    noticeSentAt: sentAt('notice'),
    acknowledgementSentAt: sentAt('acknowledgement'),
    withdrawalNoticeSentAt: sentAt('withdrawal-notice'),
    error:
      errors.size === 0
        ? null
        : [...errors]
            .join(' ')
            .replace(receiptLimitReached, 'This address has had its ten receipts of an hour.'),
  };
}
