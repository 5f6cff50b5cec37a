import { expect, test } from 'vitest';
import { composeMessage } from './messages.ts';
import type { OrderMail } from './outbox.ts';

const sender = {
  storeName: 'Colophon',
  publicUrl: new URL('https://shop.example'),
  from: { name: 'The Shop', address: 'orders@shop.example' },
};
const stored: OrderMail = {
  ...{
    id: 'o1',
    customerId: 'c1',
    bookId: 'b1',
    title: 'Emma',
    author: 'Jane Austen',
    priceCents: 1299,
    time: 'Sat Nov 21 2026',
  },
  ...{
    buyerName: '',
    buyerEmail: 'reader@example.com',
    deliveryAddress: null,
    placedAt: 0,
    withdrawalDays: 14,
  },
  ...{ mailDueAt: 0, attempts: 1, error: null, receiptSentAt: null, noticeSentAt: null, sentAt: null },
  ...{ withdrawnAt: null, withdrawnBy: null, withdrawalReason: null, orderMailEndedAt: null },
  ...{ acknowledgementSentAt: null, withdrawalNoticeSentAt: null },
};

test.each([
  'YOU WON, collect at https://evil.example/prize and',
  'See www.evil today',
  'evil.example',
  'evil。example',
  ...['\u00AD', '\u200B', '\u2060', '\u034F', '\uFE0F'].map((unseen) => `evil.${unseen}com`),
  'evil.ⓒⓞⓜ',
  'evil\u2024com',
  'evil\uFE52com',
  '8.8.8.8/win',
  'mailto:x@y',
  'tel:555',
  'x@y',
  'Evil.Shop',
  'X.Shop/win',
  'evil.x.Shop',
  'A'.repeat(61),
])('a receipt does not greet its reader as %j', (buyerName) => {
  const receipt = composeMessage('receipt', { ...stored, buyerName }, sender);

  expect(receipt.text).toContain('\n\nHere is your receipt.\n');
  expect(receipt.to).toEqual({ name: '', address: stored.buyerEmail });
  expect(composeMessage('notice', { ...stored, buyerName }, sender).text).toContain(buyerName);
});

test.each([
  ...['Ada Lovelace', 'J. R. R. Tolkien', 'J.R.R.Tolkien', 'Dr. Ngũgĩ wa Thiong’o', 'A'.repeat(60)],
  ...['St.John Smith', 'Mary O.Connor', 'Reader: Ada'],
])('a receipt greets %j', (buyerName) => {
  const receipt = composeMessage('receipt', { ...stored, buyerName }, sender);

  expect(receipt.text).toContain(`\n\nHello ${buyerName}, here is your receipt.\n`);
  expect(receipt.to).toEqual({ name: buyerName, address: stored.buyerEmail });
});

test('a message has where to send the book, in lines', () => {
  const order = { ...stored, deliveryAddress: '1 <Hartfield> Lane\nHighbury' };

  const { text, html } = composeMessage('receipt', order, sender);

  expect(text).toContain('Send to: 1 <Hartfield> Lane\n         Highbury\n');
  expect(html).toContain('>1 &lt;Hartfield&gt; Lane\nHighbury</td>');
  expect(composeMessage('receipt', stored, sender).text).not.toContain('Send to');
});

test.each([
  ...['Win at evil.example://x', 'www.evil.example', 'ⓌⓌⓌ.evil', 'x@evil.example'],
  ...['Win at evil.example', 'evil。example', 'evil.\u200Bshop', 'evil.Shop/win'],
])(
  'a receipt does not repeat the address %j, nor an acknowledgement that reason; the notices to the shop do',
  (deliveryAddress) => {
    const order = { ...stored, deliveryAddress };

    expect(composeMessage('receipt', order, sender).text).not.toContain('evil');
    expect(composeMessage('notice', order, sender).text).toContain(deliveryAddress);
    const withdrawn = { ...stored, withdrawnAt: 0, withdrawalReason: deliveryAddress };
    expect(composeMessage('acknowledgement', withdrawn, sender).text).toContain('The reason that you gave');
    expect(composeMessage('withdrawal-notice', withdrawn, sender).text).toContain(deliveryAddress);
  },
);

test('a receipt repeats an address with abbreviations and numbers', () => {
  const deliveryAddress = 'c/o J.R.R.Tolkien, apt. 3.12\nNo.12b, St.John’s Road\nP.O. Box 7';

  const { html } = composeMessage('receipt', { ...stored, deliveryAddress }, sender);

  expect(html).toContain(deliveryAddress);
});

test.each([
  ['customer', null, 'Withdrawal received: Emma', 'Withdrawn: Emma', 'Do not send it.'],
  ['customer', 1, 'Withdrawal received: Emma', 'Withdrawn: Emma', 'It was sent.'],
  ['shop', null, 'Order cancelled: Emma', 'Cancelled: Emma', 'Do not send it.'],
  ['shop', 1, 'Withdrawal received: Emma', 'Withdrawn: Emma', 'It was sent.'],
] as const)(
  'a withdrawal by the %s of an order that was sent at %j says so',
  (withdrawnBy, sentAt, ...words) => {
    const order = { ...stored, withdrawnBy, sentAt, withdrawnAt: Date.UTC(2026, 10, 23, 8, 21, 5) };

    const acknowledgement = composeMessage('acknowledgement', order, sender);
    const notice = composeMessage('withdrawal-notice', order, sender);

    expect([acknowledgement.subject, notice.subject]).toEqual(words.slice(0, 2));
    expect(notice.text).toContain(words[2]);
    expect(acknowledgement.text).toContain('Withdrawn: Mon, 23 Nov 2026 08:21:05 UTC\n');
  },
);

test('a receipt says until when its buyer may withdraw, and where, if they may', () => {
  const closingOf = (withdrawalDays: number | null) => {
    const { text, html } = composeMessage('receipt', { ...stored, withdrawalDays }, sender);
    const closing = text.slice(text.indexOf('/orders') + '/orders'.length).trim();
    expect(html).toContain(`>${closing}</p>`);
    return closing;
  };

  expect(closingOf(14)).toBe(
    'You can withdraw from this contract until 14 days after we send the book: https://shop.example/withdrawal\n' +
      'Questions? Just reply. Yours, Colophon',
  );
  for (const none of [0, null]) expect(closingOf(none)).toBe('Questions? Just reply. Yours, Colophon');
});

test('a receipt shows the book by one address for all its buyers, and the other messages do not', () => {
  const order = { ...stored, bookId: '"><b>' };
  const pictureIn = (html: string) => /<img src="([^"]*)"/.exec(html)?.[1];

  const { text, html } = composeMessage('receipt', order, sender);
  const other = composeMessage(
    'receipt',
    { ...order, id: 'o2', customerId: 'c2', buyerEmail: 'x@y' },
    sender,
  );

  expect(pictureIn(html)).toBe('https://shop.example/cards/%22%3E%3Cb%3E-00000000.jpg');
  expect(pictureIn(other.html)).toBe(pictureIn(html));
  expect(text).not.toContain('/cards/');
  for (const kind of ['notice', 'acknowledgement', 'withdrawal-notice'] as const)
    expect(pictureIn(composeMessage(kind, { ...order, withdrawnAt: 0 }, sender).html)).toBeUndefined();
});

test('a receipt of a shop without https has no picture', () => {
  const local = { ...sender, publicUrl: new URL('http://localhost:3000') };

  expect(composeMessage('receipt', stored, local).html).not.toContain('<img');
});
