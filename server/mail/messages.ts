/** The messages to an order's buyer and to its shop, as text and as HTML in the shop's look. */

import type { MailKind } from '../../contract/desk/mail.ts';
import { deskAddress } from '../../contract/desk/paths.ts';
import { centsToAmount } from '../../contract/money.ts';
import { screens } from '../../contract/paths.ts';
import { formatPrice } from '../../contract/price.ts';
import { withdrawalPaths } from '../../contract/withdrawal.ts';
import { escapeHtml } from '../http/escape-html.ts';
import { cardPathOfAnyDay } from '../images/cards.ts';
import type { MailedOrder } from './order-mail.ts';

export type Sender = {
  storeName: string;
  publicUrl: URL;
  from: Mailbox;
};

/** Without MAIL_FROM mail is shown alone. */
export const senderOf = ({
  storeName,
  publicUrl,
  mail,
}: Pick<Sender, 'storeName' | 'publicUrl'> & { mail: Pick<Sender, 'from'> | undefined }): Sender => ({
  storeName,
  publicUrl,
  from: mail?.from ?? { name: storeName, address: `orders@${publicUrl.hostname}` },
});

/** `name` may be empty. */
export type Mailbox = { name: string; address: string };

export type Message = {
  /** The same for every attempt: a mail program shows a message that came twice once (RFC 5322, section 3.6.4). */
  messageId: string;
  from: Mailbox;
  to: Mailbox;
  replyTo: Mailbox | undefined;
  subject: string;
  text: string;
  html: string;
};

export const isToBuyer = (kind: MailKind): boolean => kind === 'receipt' || kind === 'acknowledgement';

/** Messages come from it, and those to the shop go to it. */
export const shopOf = ({ from, storeName }: Sender): Mailbox => ({
  name: from.name || storeName,
  address: from.address,
});

export function composeMessage(kind: MailKind, stored: MailedOrder, sender: Sender): Message {
  // The provider may give a name of several lines, which would look like lines of the message.
  const name = stored.buyerName.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
  const order = isToBuyer(kind)
    ? {
        ...stored,
        buyerName: isGreetable(name) ? name : '',
        deliveryAddress: stored.deliveryAddress && repeatable(stored.deliveryAddress, 'address'),
        withdrawalReason: stored.withdrawalReason && repeatable(stored.withdrawalReason, 'reason'),
      }
    : { ...stored, buyerName: name };
  const { from, storeName } = sender;
  const shop = shopOf(sender);
  const buyer = { name: order.buyerName, address: order.buyerEmail };
  const content = contents[kind](order, sender);
  const subject = subjectOf(kind, order);
  return {
    messageId: messageIdOf(`${kind}.${order.id}`, from),
    from: shop,
    to: isToBuyer(kind) ? buyer : shop,
    replyTo: isToBuyer(kind) ? undefined : buyer,
    subject,
    text: textOf(content),
    html: htmlOf(content, { subject, storeName }),
  };
}

/**
 * @returns false for a name that is very long, or has an address: a receipt that greets by it is an advertisement that the shop
 * would send for another. Mail programs make links of `www.`, of a dot inside a word or a number, and of `tel:555`. They show
 * letters in a circle as letters, and some characters not at all.
 */
function isGreetable(name: string): boolean {
  const rest = seenIn(name).replace(abbreviations, '');
  return name.length <= 60 && !/:\S|@|www\.|[.。]([\p{L}\p{N}]{2}|\p{N})/iu.test(rest);
}

/**
 * @returns the buyer's text as a message to them repeats it: none with an address of the web or of mail, for the same reason. A dot
 * before a number is that of a house.
 */
const repeatable = (text: string, what: 'address' | 'reason'): string =>
  /:\S|@|www\.|[.。]\p{L}{2}/iu.test(seenIn(text).replace(abbreviations, ''))
    ? `The ${what} that you gave`
    : text;

const seenIn = (text: string): string =>
  text.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');

/** Those that precede a surname without a space, as in `St.John` and `J.R.R.Tolkien`. */
const abbreviations =
  /(?<![\p{L}\p{N}.-])(?:St|Dr|Mr|Mrs|Ms|\p{Lu})\.(?:\p{Lu}\.)*(?=\p{Lu}\p{Ll}{3,}(?![\p{L}\p{N}./]))/gu;

export const subjectOf = (kind: MailKind, order: MailedOrder): string => {
  const subjects: Record<MailKind, string> = {
    receipt: 'Your order',
    notice: 'New order',
    acknowledgement: isCancelled(order) ? 'Order cancelled' : 'Withdrawal received',
    'withdrawal-notice': isCancelled(order) ? 'Cancelled' : 'Withdrawn',
  };
  return `${subjects[kind]}: ${order.title}`;
};

/** By the shop, before it was sent. */
const isCancelled = ({ withdrawnBy, sentAt }: MailedOrder): boolean =>
  withdrawnBy === 'shop' && sentAt === null;

export const messageIdOf = (name: string, { address }: Mailbox): string =>
  `<${name}@${address.slice(address.lastIndexOf('@') + 1)}>`;

type Content = {
  heading: string;
  opening: string;
  lines: readonly (readonly [string, string])[];
  link: { text: string; address: string };
  closing: string;
  picture?: string | undefined;
};

const billOf = ({ title, author, priceCents, time, id, deliveryAddress }: MailedOrder) =>
  [
    ['Book', title],
    ['Author', author],
    ['Price', formatPrice(centsToAmount(priceCents))],
    ['Date', time],
    ['Order', id],
    ...(deliveryAddress === null ? [] : [['Send to', deliveryAddress] as const]),
  ] as const;

const contents: Readonly<Record<MailKind, (order: MailedOrder, sender: Sender) => Content>> = {
  receipt: (order, { publicUrl, storeName }) => ({
    heading: 'Thank you for your order',
    opening: order.buyerName ? `Hello ${order.buyerName}, here is your receipt.` : 'Here is your receipt.',
    lines: billOf(order),
    link: { text: 'See your orders', address: new URL(screens.orders, publicUrl).href },
    picture: pictureOf(order, publicUrl),
    closing: `${rightToWithdraw(order, publicUrl)}Questions? Just reply. Yours, ${storeName}`,
  }),
  notice: (order, { publicUrl, storeName }) => ({
    heading: 'A new order',
    opening: 'You’ve sold a book.',
    lines: [...billOf(order), ['Buyer', order.buyerName], ['E-mail', order.buyerEmail]],
    link: { text: 'Open the desk', address: new URL(deskAddress, publicUrl).href },
    closing: closingOfNotice(storeName),
  }),
  acknowledgement: (order, { publicUrl, storeName }) => ({
    ...(isCancelled(order)
      ? {
          heading: 'Your order was cancelled',
          opening: 'We have cancelled this order. We won’t send the book, and will refund what you paid.',
        }
      : {
          heading: 'Your withdrawal has arrived',
          opening: `${order.buyerName ? `${order.buyerName}, you` : 'You'} have withdrawn from the contract for this book.`,
        }),
    lines: [...billOf(order), ...withdrawalLines(order)],
    link: { text: 'See your orders', address: new URL(screens.orders, publicUrl).href },
    closing: `Questions about the refund, or about returning the book? Just reply. Yours, ${storeName}`,
  }),
  'withdrawal-notice': (order, { publicUrl, storeName }) => ({
    heading: isCancelled(order) ? 'A cancelled order' : 'A withdrawn order',
    opening: `${order.withdrawnBy === 'shop' ? 'The shop has taken an order back' : 'A buyer has withdrawn from an order'}. ${
      order.sentAt === null ? 'Do not send it.' : 'It was sent.'
    }`,
    lines: [
      ...billOf(order),
      ...withdrawalLines(order),
      ['Buyer', order.buyerName],
      ['E-mail', order.buyerEmail],
    ],
    link: { text: 'Open the desk', address: new URL(deskAddress, publicUrl).href },
    closing: closingOfNotice(storeName),
  }),
};

/**
 * The card of the book, at the same address for all its buyers. So loading it tells that a receipt is read, and not by whom. A mail
 * program shows no picture from an address that is not encrypted.
 */
const pictureOf = ({ bookId }: MailedOrder, publicUrl: URL): string | undefined =>
  publicUrl.protocol === 'https:' ? new URL(cardPathOfAnyDay(bookId), publicUrl).href : undefined;

/** The law wants it in the confirmation of a contract: Directive 2011/83/EU, articles 6(1)(h) and 8(7). */
const rightToWithdraw = ({ withdrawalDays }: MailedOrder, publicUrl: URL): string =>
  withdrawalDays
    ? `You can withdraw from this contract until ${withdrawalDays} days after we send the book: ${new URL(withdrawalPaths.page, publicUrl).href}\n`
    : '';

const closingOfNotice = (storeName: string): string => `Sent by ${storeName}. Replies go to the buyer.`;

const withdrawalLines = ({ withdrawnAt, withdrawalReason }: MailedOrder) =>
  [
    ['Withdrawn', new Date(withdrawnAt ?? 0).toUTCString().replace('GMT', 'UTC')],
    ...(withdrawalReason === null ? [] : [['Reason', withdrawalReason] as const]),
  ] as const;

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
  { subject, storeName }: { subject: string; storeName: string },
): string {
  const rows = lines
    .map(
      ([name, value]) =>
        `<tr><th style="padding:8px 24px 8px 0;border-bottom:1px solid #dcd6cb;text-align:left;vertical-align:top;font-weight:400;color:#625a52">${name}</th>` +
        `<td dir="auto" style="padding:8px 0;border-bottom:1px solid #dcd6cb;vertical-align:top;white-space:pre-line">${escapeHtml(value)}</td></tr>`,
    )
    .join('\n');
  // The words below it say all that it shows.
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
