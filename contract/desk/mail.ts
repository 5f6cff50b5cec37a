import { type Static, Type } from 'typebox';
import * as Part from '../schema-parts.ts';

/** The messages about an order. The two notices go to the shop, the others to the buyer. */
export type MailKind =
  | 'receipt'
  | 'notice'
  | 'dispatch'
  | 'acknowledgement'
  | 'withdrawal-notice'
  | 'cancellation';

export const DeskMail = Part.Named('DeskMail', {
  _id: Part.Text('The id of the order.'),
  to: Part.Text('The buyer’s e-mail.'),
  subject: Part.Text('The subject of the last message to the buyer.'),
  state: Type.Enum(['waiting', 'sent', 'given-up', 'unverified', 'shown', 'none'], {
    description:
      '`unverified`: the identity provider has not verified the address, so that nothing was sent to it. `shown`: nothing is sent ' +
      'in demo mode. `none`: the order was placed before mail was set up, or its customer was erased.',
  }),
  placedAt: Part.Time('When the order was placed.'),
  attempts: Part.Count('How often the store has tried to send it.'),
  nextAttemptAt: Part.NullableTime('While it waits.'),
  receiptSentAt: Part.NullableTime('When the mail server took the receipt.'),
  noticeSentAt: Part.NullableTime('When the mail server took the notice.'),
  dispatchSentAt: Part.NullableTime('When the mail server took the notice that the book is on its way.'),
  acknowledgementSentAt: Part.NullableTime(
    'When the mail server took the acknowledgement of the withdrawal.',
  ),
  withdrawalNoticeSentAt: Part.NullableTime('When the mail server took the notice of the withdrawal.'),
  cancellationSentAt: Part.NullableTime('When the mail server took the note that it was not paid in time.'),
  error: Part.Nullable('Why the last attempt failed.'),
});
export type DeskMail = Static<typeof DeskMail>;

/** `off`: the shop has no mail server (`MAIL_URL`). */
export const DeskMails = Part.Named('DeskMails', {
  mode: Type.Enum(['sent', 'shown', 'off']),
  messages: Type.Array(DeskMail),
});
export type DeskMails = Static<typeof DeskMails>;

const MailMessage = Part.Named('MailMessage', {
  to: Type.String(),
  subject: Type.String(),
  text: Type.String(),
  html: Type.String(),
});

export const DeskMailContent = Part.Named('DeskMailContent', {
  ...DeskMail.properties,
  receipt: MailMessage,
  notice: MailMessage,
  dispatch: Type.Optional(MailMessage),
  acknowledgement: Type.Optional(MailMessage),
  withdrawalNotice: Type.Optional(MailMessage),
  cancellation: Type.Optional(MailMessage),
});
export type DeskMailContent = Static<typeof DeskMailContent>;
