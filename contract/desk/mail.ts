import { type Static, Type } from 'typebox';
import { Term } from '../field-formats.ts';
import { NullableTime, Time } from '../nullable.ts';
import { PageLimit } from '../page-parameters.ts';

const states = ['waiting', 'sent', 'given-up', 'unverified', 'shown', 'none'] as const;

/** The messages about an order. The receipt, and the acknowledgement of a withdrawal, go to the buyer, the others to the shop. */
export type MailKind = 'receipt' | 'notice' | 'acknowledgement' | 'withdrawal-notice';

/** The mail of one order: the receipt to the buyer and the notice to the shop, and once it is withdrawn two more. */
export const DeskMail = Type.Object(
  {
    _id: Type.String({ description: 'The id of the order.' }),
    to: Type.String({ description: 'The buyer’s e-mail.' }),
    subject: Type.String({ description: 'The subject of the last message to the buyer.' }),
    state: Type.Enum([...states], {
      description:
        '`unverified`: the identity provider has not verified the address, so that nothing was sent to it. `shown`: nothing is sent ' +
        'in demo mode. `none`: the order was placed before mail was set up, or its customer was erased.',
    }),
    placedAt: Time('When the order was placed.'),
    attempts: Type.Integer({ description: 'How often the store has tried to send it.' }),
    nextAttemptAt: NullableTime('While it waits.'),
    receiptSentAt: NullableTime('When the mail server took the receipt.'),
    noticeSentAt: NullableTime('When the mail server took the notice.'),
    acknowledgementSentAt: NullableTime('When the mail server took the acknowledgement of the withdrawal.'),
    withdrawalNoticeSentAt: NullableTime('When the mail server took the notice of the withdrawal.'),
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

/** The mail of one order, with its messages as they are sent. */
export const DeskMailContent = Type.Object(
  {
    ...DeskMail.properties,
    receipt: MailMessage,
    notice: MailMessage,
    acknowledgement: Type.Optional(MailMessage),
    withdrawalNotice: Type.Optional(MailMessage),
  },
  { title: 'DeskMailContent' },
);
export type DeskMailContent = Static<typeof DeskMailContent>;

/** The id of an order. */
export const DeskMailParams = Type.Object({ id: Term({ maxLength: 64, description: 'The order’s `_id`.' }) });

/** The query parameters of `GET /desk/api/mail`. */
export const DeskMailQuery = Type.Object({
  state: Type.Optional(
    Type.Enum(['all', 'waiting', 'sent', 'given-up', 'unverified'], {
      default: 'all',
      description: '`all`, `sent` and `unverified` reach back 30 days.',
    }),
  ),
  limit: PageLimit(),
  cursor: Type.Optional(
    Type.String({
      maxLength: 64,
      format: 'term',
      description: 'From the Link header of the previous page.',
    }),
  ),
});
