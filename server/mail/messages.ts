/** The messages to an order's buyer and to its shop, as text and as HTML in the shop's look. */

import { trackingAddress } from '../../contract/delivery-address.ts';
import type { MailKind } from '../../contract/desk/mail.ts';
import { deskAddress } from '../../contract/desk/paths.ts';
import { groupIban } from '../../contract/iban.ts';
import { centsToAmount } from '../../contract/money.ts';
import { screens } from '../../contract/paths.ts';
import { moneyIn } from '../../contract/price.ts';
import { withdrawalPaths } from '../../contract/withdrawal.ts';
import { escapeHtml } from '../http/escape-html.ts';
import { cardPathOfAnyDay } from '../images/cards.ts';
import { totalCents } from '../orders/orders.ts';
import type { Sender } from '../settings/settings.ts';
import type { MailedOrder } from './order-mail.ts';

export type Message = {
  /** The id is the same for every attempt: a mail program shows a message that came twice only once (RFC 5322, section 3.6.4). */
  messageId: string;
  from: Sender['from'];
  to: Sender['from'];
  replyTo?: Sender['from'];
  subject: string;
  text: string;
  html?: string;
};

export const isToBuyer = (kind: MailKind): boolean => kind !== 'notice' && kind !== 'withdrawal-notice';

/** The shop's address, from which and to which its messages go. */
export const shopOf = ({ from, storeName }: Sender): Sender['from'] => ({
  ...from,
  name: from.name || storeName,
});

export const messageIdOf = (name: string, { from: { address } }: Sender): string =>
  `<${name}@${address.slice(address.lastIndexOf('@') + 1)}>`;

export const subjectOf = (kind: MailKind, order: MailedOrder): string =>
  `${words[kind](order, 'UTC').subject}: ${order.title}`;

export function composeMessage(kind: MailKind, stored: MailedOrder, sender: Sender) {
  // The provider's name may have several lines, which would look like lines of the message.
  const named = { ...stored, buyerName: stored.buyerName.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ') };
  const order = isToBuyer(kind) && stored.isVerified !== 1 ? withoutOwnWords(named) : named;
  const buyer = { name: order.buyerName, address: order.buyerEmail };
  const shop = shopOf(sender);
  // An order that is marked as sent once more is another message, which a mail program has to show too.
  const name = kind === 'dispatch' ? `${kind}.${order.id}.${order.sentAt}` : `${kind}.${order.id}`;
  const message = {
    messageId: messageIdOf(name, sender),
    from: shop,
    ...(isToBuyer(kind) ? { to: buyer } : { to: shop, replyTo: buyer }),
    subject: subjectOf(kind, order),
  };
  const content = contentOf(kind, order, sender);
  const html = htmlOf(content, message.subject, sender);
  return { ...message, text: textOf(content), html } satisfies Message;
}

/** An unverified address may be another person's: the shop must not send them words that the buyer has chosen. */
const withoutOwnWords = (order: MailedOrder): MailedOrder => ({
  ...order,
  buyerName: '',
  deliveryAddress: order.deliveryAddress && 'The address that you gave',
  withdrawalReason: order.withdrawalReason && 'The reason that you gave',
  gift: order.gift && 'The words that you gave',
});

type Words = { subject: string; heading: string; opening: string };

const words: Readonly<Record<MailKind, (order: MailedOrder, zone: string) => Words>> = {
  receipt: ({ buyerName }) => ({
    subject: 'Your order',
    heading: 'Thank you for your order',
    opening: buyerName ? `Hello ${buyerName}, here is your receipt.` : 'Here is your receipt.',
  }),
  notice: () => ({ subject: 'New order', heading: 'A new order', opening: 'You’ve sold a book.' }),
  dispatch: ({ buyerName }) => ({
    subject: 'Your book is on its way',
    heading: 'Your book is on its way',
    opening: buyerName ? `Hello ${buyerName}, we have sent your book.` : 'We have sent your book.',
  }),
  acknowledgement: (order) =>
    isCancelled(order)
      ? {
          subject: 'Order cancelled',
          heading: 'Your order was cancelled',
          opening: `We have cancelled this order. We won’t send the book${order.paymentState === 'expired' ? '' : `, and ${order.refundedAt === null ? 'will refund' : 'have refunded'} what you paid`}.`,
        }
      : {
          subject: 'Withdrawal received',
          heading: 'Your withdrawal has arrived',
          opening: `${order.buyerName ? `${order.buyerName}, you` : 'You'} have withdrawn from the contract for this book.`,
        },
  cancellation: ({ paymentUntil }, zone) => ({
    subject: 'Order cancelled',
    heading: 'Your order was cancelled',
    opening: `It was not paid by ${timeIn(zone, paymentUntil)}, so we have cancelled it. There is nothing left to pay.`,
  }),
  'withdrawal-notice': (order) => ({
    subject: isCancelled(order) ? 'Cancelled' : 'Withdrawn',
    heading: isCancelled(order) ? 'A cancelled order' : 'A withdrawn order',
    opening: `${order.withdrawnBy === 'shop' ? `The shop has ${isCancelled(order) ? 'cancelled' : 'withdrawn'} an order` : 'A buyer has withdrawn from an order'}. ${
      order.sentAt === null ? 'Do not send it.' : 'It was sent.'
    }`,
  }),
};

/** @returns a time by the shop's clock, with its zone: the law wants the time at which a withdrawal arrived. */
const timeIn = (timeZone: string, ms: number | null): string =>
  new Date(ms ?? 0).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'long', timeZone });

/** True if the shop withdrew the order before it was sent. */
const isCancelled = ({ withdrawnBy, sentAt }: MailedOrder): boolean =>
  withdrawnBy === 'shop' && sentAt === null;

type Content = Omit<Words, 'subject'> & {
  lines: readonly (readonly [name: string, value: string])[];
  link: { text: string; address: string };
  closing: string;
  picture: string | undefined;
};

function contentOf(kind: MailKind, order: MailedOrder, sender: Sender): Content {
  const { publicUrl, storeName, timeZone, transfer } = sender;
  const { format } = moneyIn(order.currency);
  const isOfWithdrawal = kind === 'acknowledgement' || kind === 'withdrawal-notice';
  const book = { Book: order.title, Author: order.author };
  const parcel = {
    ...book,
    Order: order.number,
    'Sent to': order.deliveryAddress,
    // Its address is that of the button.
    Tracking: trackingAddress(order.tracking) ? null : order.tracking,
  };
  const bill = {
    ...book,
    Price: format(centsToAmount(order.priceCents)),
    ...(order.deliveryName !== null && {
      Delivery: `${order.deliveryName}, ${order.deliveryCents ? format(centsToAmount(order.deliveryCents)) : 'free'}`,
      Total: format(centsToAmount(totalCents(order))),
    }),
    Gift: order.gift === '' ? 'Without words' : order.gift,
    ...(order.paymentState === 'due' && {
      'To be paid by': timeIn(timeZone, order.paymentUntil),
      ...(isToBuyer(kind) && transfer && { Account: accountText(transfer) }),
      Reference: order.number,
    }),
    ...(order.paysOnCollection === 1 && { Payment: 'On collection' }),
    Date: order.time,
    Order: order.number,
    'Send to': order.deliveryAddress,
    ...(isOfWithdrawal && {
      [isCancelled(order) ? 'Cancelled' : 'Withdrawn']: timeIn(timeZone, order.withdrawnAt),
      Reason: order.withdrawalReason,
    }),
    ...(!isToBuyer(kind) && { Buyer: order.buyerName, 'E-mail': order.buyerEmail }),
  };
  const closings: Record<MailKind, string> = {
    receipt: `${rightToWithdraw(order, publicUrl)}Questions? Just reply. Yours, ${storeName}`,
    notice: `Sent by ${storeName}. Replies go to the buyer.`,
    dispatch: `Questions? Just reply. Yours, ${storeName}`,
    cancellation: `Would you still like the book? Order it again, or just reply. Yours, ${storeName}`,
    acknowledgement: `Questions about the refund, or about returning the book? Just reply. Yours, ${storeName}`,
    'withdrawal-notice': `Sent by ${storeName}. Replies go to the buyer.`,
  };
  const [text, path] = linkOf(kind, order);
  const lines = Object.entries(kind === 'dispatch' ? parcel : bill);
  return {
    ...words[kind](order, timeZone),
    lines: lines.flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
    link: { text, address: new URL(path, publicUrl).href },
    closing: closings[kind],
    picture: kind === 'receipt' ? pictureOf(order, publicUrl) : undefined,
  };
}

function linkOf(kind: MailKind, { id, paymentState, tracking }: MailedOrder): readonly [string, string] {
  if (!isToBuyer(kind)) return ['Open the desk', deskAddress];
  const parcel = kind === 'dispatch' && trackingAddress(tracking);
  if (parcel) return ['Follow the parcel', parcel];
  return [paymentState === 'due' ? 'Pay your order' : 'See your order', screens.order(id)];
}

const accountText = ({ name, iban, bic }: NonNullable<Sender['transfer']>): string =>
  [name, groupIban(iban), ...(bic ? [bic] : [])].join('\n');

/** The law demands this text in the confirmation of a contract: Directive 2011/83/EU, articles 6(1)(h) and 8(7). */
const rightToWithdraw = ({ withdrawalDays, asksAddress }: MailedOrder, publicUrl: URL): string =>
  withdrawalDays
    ? `You can withdraw from this contract until ${withdrawalDays} days after we ${asksAddress === 0 ? 'hand you' : 'send'} the book: ${new URL(withdrawalPaths.page, publicUrl).href}\n`
    : '';

/**
 * The book's card. Its address is the same for all buyers, so loading it tells that a receipt is read, but not by whom. A mail program
 * shows no picture from an unencrypted address.
 */
const pictureOf = ({ bookId }: MailedOrder, publicUrl: URL): string | undefined =>
  publicUrl.protocol === 'https:' ? new URL(cardPathOfAnyDay(bookId), publicUrl).href : undefined;

function textOf({ heading, opening, lines, link, closing }: Content): string {
  const width = Math.max(...lines.map(([name]) => name.length)) + 2;
  const bill = lines
    .map(([name, value]) => `${`${name}:`.padEnd(width)}${value.replaceAll('\n', `\n${' '.repeat(width)}`)}`)
    .join('\n');
  return `${heading}\n\n${opening}\n\n${bill}\n\n${link.text}: ${link.address}\n\n${closing}\n`;
}

/** Mail programs know tables and styles of elements, few of them style sheets. The colours are those of tokens.css. */
function htmlOf(
  { heading, opening, lines, link, closing, picture }: Content,
  subject: string,
  { storeName }: Sender,
): string {
  const rows = lines
    .map(
      ([name, value]) =>
        `<tr><th style="padding:8px 24px 8px 0;border-bottom:1px solid #dcd6cb;text-align:left;vertical-align:top;font-weight:400;color:#625a52">${name}</th>` +
        `<td dir="auto" style="padding:8px 0;border-bottom:1px solid #dcd6cb;vertical-align:top;white-space:pre-line">${escapeHtml(value)}</td></tr>`,
    )
    .join('\n');
  // The picture has an empty text, because the words below say the same.
  const image = picture
    ? `<img src="${escapeHtml(picture)}" alt="" width="560" height="294" style="display:block;width:100%;height:auto;margin:0 0 24px;border-radius:3px">\n`
    : '';
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:32px 16px;background:#faf9f6;color:#1f1b18;font:16px/1.5 Literata,Georgia,'Times New Roman',serif">
<div style="max-width:560px;margin:0 auto">
<p style="margin:0 0 24px;color:#7a1f2b;font-size:18px">${escapeHtml(storeName)}</p>
${image}<h1 style="margin:0 0 12px;font-size:26px;line-height:1.25;font-weight:500">${heading}</h1>
<p style="margin:0 0 24px">${escapeHtml(opening)}</p>
<table role="presentation" style="width:100%;border-collapse:collapse;font-size:16px">
${rows}
</table>
<p style="margin:28px 0"><a href="${escapeHtml(link.address)}" style="display:inline-block;padding:12px 20px;background:#7a1f2b;color:#fffaf6;text-decoration:none;border-radius:3px">${link.text}</a></p>
<p style="margin:0;color:#625a52;font-size:14px;white-space:pre-line">${escapeHtml(closing)}</p>
</div>
</body>
</html>
`;
}
