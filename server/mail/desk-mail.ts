import type { DeskMail } from '../../contract/desk/mail.ts';
import { timeOrNull, timeText } from '../database/times.ts';
import type { MailMode } from './mail.ts';
import { subjectOf } from './messages.ts';
import { mailState, type OrderMail, receiptLimitReached } from './outbox.ts';

/** @returns the mail of an order as the desk's API shows it. @param mode of the store. */
export const presentMail = (order: OrderMail, mode: MailMode): DeskMail => ({
  _id: order.id,
  to: order.buyerEmail,
  subject: subjectOf(order.withdrawnAt === null ? 'receipt' : 'acknowledgement', order),
  state: mailState(order) ?? (mode === 'shown' ? 'shown' : 'none'),
  placedAt: timeText(order.placedAt),
  attempts: order.attempts ?? 0,
  nextAttemptAt: timeOrNull(order.mailDueAt),
  receiptSentAt: timeOrNull(order.receiptSentAt),
  noticeSentAt: timeOrNull(order.noticeSentAt),
  acknowledgementSentAt: timeOrNull(order.acknowledgementSentAt),
  withdrawalNoticeSentAt: timeOrNull(order.withdrawalNoticeSentAt),
  error:
    order.error?.replace(receiptLimitReached, 'This address has had its ten receipts of an hour.') ?? null,
});
