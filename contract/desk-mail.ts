import { type Static, Type } from 'typebox';
import { Term } from './field-formats.ts';
import { maxPageSize } from './next-page.ts';
import { NullableTime, Time } from './nullable.ts';

const states = ['waiting', 'sent', 'given-up', 'shown'] as const;

/** The mail of one order: the receipt to the buyer, and the notice to the shop. */
export const DeskMail = Type.Object(
  {
    _id: Type.String({ description: 'The id of the order.' }),
    to: Type.String({ description: 'The buyer’s e-mail.' }),
    subject: Type.String({ description: 'Of the receipt.' }),
    state: Type.Enum([...states], {
      description: '`shown`: it was not sent, in demo mode or because the order is older than the setting.',
    }),
    placedAt: Time('When the order was placed.'),
    attempts: Type.Integer(),
    nextAttemptAt: NullableTime('While it waits.'),
    receiptSentAt: NullableTime('When the mail server took the receipt.'),
    noticeSentAt: NullableTime('When the mail server took the notice.'),
    error: Type.Union([Type.String(), Type.Null()], { description: 'Why the last attempt failed.' }),
  },
  { title: 'DeskMail' },
);
export type DeskMail = Static<typeof DeskMail>;

/** `off`: the shop has no mail server (`MAIL_URL`). */
export const DeskMails = Type.Object(
  { mode: Type.Enum(['sent', 'shown', 'off']), messages: Type.Array(DeskMail) },
  { title: 'DeskMails' },
);
export type DeskMails = Static<typeof DeskMails>;

const MailMessage = Type.Object(
  { to: Type.String(), subject: Type.String(), text: Type.String(), html: Type.String() },
  { title: 'MailMessage' },
);

/** The mail of one order, with both messages as they are sent. */
export const DeskMailContent = Type.Object(
  { ...DeskMail.properties, receipt: MailMessage, notice: MailMessage },
  { title: 'DeskMailContent' },
);
export type DeskMailContent = Static<typeof DeskMailContent>;

/** The id of an order. */
export const DeskMailParams = Type.Object({ id: Term({ maxLength: 64 }) });

/** The query parameters of `GET /desk/api/mail`. */
export const DeskMailQuery = Type.Object({
  state: Type.Optional(
    Type.Enum(['all', 'waiting', 'sent', 'given-up'], {
      default: 'all',
      description: '`all` and `sent` reach back 30 days.',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxPageSize, default: maxPageSize })),
  cursor: Type.Optional(Type.String({ maxLength: 64, format: 'term' })),
});
