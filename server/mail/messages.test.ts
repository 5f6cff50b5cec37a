import { expect, test } from 'vitest';
import type { MailKind } from '../../contract/desk/mail.ts';
import { composeMessage } from './messages.ts';
import type { MailedOrder } from './order-mail.ts';

const sender = {
  storeName: 'Colophon',
  timeZone: 'Europe/Berlin',
  publicUrl: new URL('https://shop.example'),
  from: { name: 'The Shop', address: 'orders@shop.example' },
};
const stored: MailedOrder = {
  ...{
    id: 'o1',
    customerId: 'c1',
    bookId: 'b1',
    title: 'Emma',
    author: 'Jane Austen',
    priceCents: 1299,
    placedAt: 0,
  },
  ...{ time: 'Sat Nov 21 2026', buyerName: 'Ada', buyerEmail: 'reader@example.com', isVerified: 1 },
  ...{ tracking: null, deliveryAddress: null, addressCorrectedAt: null },
  ...{ withdrawalDays: 14, sentAt: null, note: null },
  ...{ withdrawnAt: null, withdrawnBy: null, withdrawalReason: null, refundedAt: null, returnedAt: null },
  ...{ number: 'K7M3PQRT', currency: 'USD', cancelledAt: null },
  ...{ deliveryName: null, deliveryCents: null, asksAddress: null },
  ...{ paysOnCollection: null, gift: null, paymentState: null, paymentUntil: null, paymentWay: null },
  ...{ paidAt: null, paidCents: null, paidBackCents: null },
};

test.each([
  ['repeats the words of a buyer whose address is verified', 1, true],
  ['repeats none to an address that is not verified, which would make it an advertisement', 0, false],
  ['repeats none to an address that the customer no longer has', null, false],
])('a message %s; the notices to the shop repeat them', (_, isVerified, isRepeated) => {
  const spam = ['YOU WON', 'collect at https://evil.example/prize', 'Dear winner', 'Win at evil.example'];
  const [buyerName = '', deliveryAddress = '', gift = '', withdrawalReason = ''] = spam;
  const own = { buyerName, deliveryAddress, gift, withdrawalReason };
  const order = { ...stored, ...own, isVerified, withdrawnAt: 0 };
  const found = (kind: MailKind) =>
    spam.filter((words) => JSON.stringify(composeMessage(kind, order, sender)).includes(words));

  expect(found('receipt')).toEqual(isRepeated ? spam.slice(0, 3) : []);
  expect(found('acknowledgement')).toEqual(isRepeated ? spam : []);
  expect(found('notice')).toEqual(spam.slice(0, 3));
  expect(found('withdrawal-notice')).toEqual(spam);
});

test('a message has the way, what it costs, the total and the words of a gift', () => {
  const order = {
    ...stored,
    deliveryName: 'Post <abroad>',
    deliveryCents: 490,
    gift: 'For Ada,\nwith love.',
  };

  const { text, html } = composeMessage('receipt', order, sender);

  const bill =
    'Price:    $12.99\nDelivery: Post <abroad>, $4.90\nTotal:    $17.89\nGift:     For Ada,\n          with love.\n';
  expect(text).toContain(bill);
  expect(html).toContain('>Post &lt;abroad&gt;, $4.90</td>');
  const plain = composeMessage('receipt', stored, sender).text;
  for (const name of ['Delivery', 'Total', 'Gift']) expect(plain).not.toContain(name);
});

test('the receipt of a book that is collected has the number to name, says when to pay it, and counts from its collection', () => {
  const order = { ...stored, deliveryName: 'Collect it here', asksAddress: 0, paysOnCollection: 1 };

  const { text } = composeMessage('receipt', order, sender);

  expect(text).toMatch(/Delivery: +Collect it here, free\n/);
  expect(text).toMatch(/Payment: +On collection\nDate: .*\nOrder: +K7M3PQRT\n/);
  expect(text).toContain('until 14 days after we hand you the book');
  expect(composeMessage('receipt', stored, sender).text).not.toContain('Payment');
});

test('a message has where to send the book, in lines', () => {
  const order = { ...stored, deliveryAddress: '1 <Hartfield> Lane\nHighbury' };

  const { text, html } = composeMessage('receipt', order, sender);

  expect(text).toContain('Send to: 1 <Hartfield> Lane\n         Highbury\n');
  expect(html).toContain('>1 &lt;Hartfield&gt; Lane\nHighbury</td>');
  expect(composeMessage('receipt', stored, sender).text).not.toContain('Send to');
});

test.each([
  ['customer', null, 'Withdrawal received: Emma', 'Withdrawn: Emma', 'Do not send it.'],
  ['customer', 1, 'Withdrawal received: Emma', 'Withdrawn: Emma', 'It was sent.'],
  ['shop', null, 'Order cancelled: Emma', 'Cancelled: Emma', 'has cancelled an order. Do not send it.'],
  ['shop', 1, 'Withdrawal received: Emma', 'Withdrawn: Emma', 'has withdrawn an order. It was sent.'],
] as const)(
  'a withdrawal by the %s of an order that was sent at %j says so',
  (withdrawnBy, sentAt, ...words) => {
    const at = { sentAt, withdrawnAt: Date.UTC(2026, 10, 23, 8, 21, 5) };
    const order = { ...stored, ...at, withdrawnBy, withdrawalReason: 'Its spine is broken.' };

    const acknowledgement = composeMessage('acknowledgement', order, sender);
    const notice = composeMessage('withdrawal-notice', order, sender);

    expect([acknowledgement.subject, notice.subject]).toEqual(words.slice(0, 2));
    expect(notice.text).toContain(words[2]);
    const [state] = notice.subject.split(':');
    expect(acknowledgement.text).toContain(`${state}: 23 Nov 2026, 09:21:05 CET\n`);
    expect(acknowledgement.text).toContain('Its spine is broken.');
  },
);

test('a receipt says until when its buyer may withdraw, and where, if they may', () => {
  const closingOf = (withdrawalDays: number | null) => {
    const { text, html } = composeMessage('receipt', { ...stored, withdrawalDays }, sender);
    const closing = text.split('https://shop.example/orders/o1')[1]?.trim();
    expect(html).toContain(`>${closing}</p>`);
    return closing;
  };

  expect(closingOf(14)).toBe(
    'You can withdraw from this contract until 14 days after we send the book: https://shop.example/withdrawal\n' +
      'Questions? Just reply. Yours, Colophon',
  );
  for (const none of [0, null]) expect(closingOf(none)).toBe('Questions? Just reply. Yours, Colophon');
});

test('a receipt shows the book by one address for all its buyers where the shop has https, and the other messages do not', () => {
  const order = { ...stored, bookId: '"><b>' };
  const pictureIn = (html: string) => /<img src="([^"]*)"/.exec(html)?.[1];

  const { text, html } = composeMessage('receipt', order, sender);
  const ofOther = { ...order, id: 'o2', buyerEmail: 'x@y' };
  const other = composeMessage('receipt', ofOther, sender);

  expect(pictureIn(html)).toBe('https://shop.example/cards/%22%3E%3Cb%3E-00000000.jpg');
  expect(pictureIn(other.html)).toBe(pictureIn(html));
  expect(text).not.toContain('/cards/');
  for (const kind of ['notice', 'acknowledgement', 'withdrawal-notice'] as const)
    expect(pictureIn(composeMessage(kind, { ...order, withdrawnAt: 0 }, sender).html)).toBeUndefined();
  const local = { ...sender, publicUrl: new URL('http://localhost:3000') };
  expect(pictureIn(composeMessage('receipt', order, local).html)).toBeUndefined();
});

test('the buyer of an order that is to be paid learns until when, and when it is cancelled because it was not', () => {
  const due = { ...stored, paymentState: 'due', paymentUntil: Date.UTC(2026, 10, 28, 12) } as const;
  const cancelled = { ...due, paymentState: 'expired', cancelledAt: 0, withdrawnBy: 'shop' } as const;

  const receipt = composeMessage('receipt', due, sender).text;
  expect(receipt).toMatch(/To be paid by: +28 Nov 2026, 13:00:00 CET\nReference: +K7M3PQRT\n/);
  const transfer = { iban: 'DE89370400440532013000', name: 'Shop' };
  const byTransfer = composeMessage('receipt', due, { ...sender, transfer }).text;
  expect(byTransfer).toMatch(/Account: +Shop\n +DE89 3704 0044 0532 0130 00\nReference: +K7M3PQRT\n/);
  expect(receipt).toContain('Pay your order: https://shop.example/orders/o1');
  expect(composeMessage('receipt', stored, sender).text).not.toContain('paid');
  const { to, text } = composeMessage('cancellation', cancelled, sender);
  expect([to.address, text]).toEqual([
    stored.buyerEmail,
    expect.stringContaining('It was not paid by 28 Nov 2026, 13:00:00 CET'),
  ]);
  const told = (order: MailedOrder) => composeMessage('acknowledgement', order, sender).text;
  expect(told(cancelled)).not.toContain('what you paid');
  const byShop: MailedOrder = { ...stored, withdrawnAt: 1, withdrawnBy: 'shop' };
  expect(told(byShop)).toContain('and will refund what you paid.');
  expect(told({ ...byShop, refundedAt: 2 })).toContain('and have refunded what you paid.');
});

test('the buyer of an order that was sent learns where to, and how to follow it: by a button if it is an https address', () => {
  const sent = { ...stored, sentAt: 1, deliveryAddress: '1 Hartfield Lane', gift: 'For Ada' };
  const textOf = (changes: Partial<MailedOrder> = {}) =>
    composeMessage('dispatch', { ...sent, ...changes }, sender).text;

  expect(composeMessage('dispatch', sent, sender).subject).toBe('Your book is on its way: Emma');
  expect(textOf()).toBe(`Your book is on its way

Hello Ada, we have sent your book.

Book:    Emma
Author:  Jane Austen
Order:   K7M3PQRT
Sent to: 1 Hartfield Lane

See your order: https://shop.example/orders/o1

Questions? Just reply. Yours, Colophon
`);
  expect(textOf({ tracking: 'DHL 00340' })).toMatch(/\nTracking: DHL 00340\n\nSee your order: /);
  const followed = textOf({ tracking: 'https://dhl.example/?a=1&b="2"' });
  expect(followed).toContain('\nFollow the parcel: https://dhl.example/?a=1&b=%222%22\n');
  expect(followed).not.toContain('Tracking');
  for (const tracking of [
    ...['http://dhl.example', 'javascript:alert(1)', 'https://', 'https://dhl.example 00340'],
    ...[
      'https://dhl.example@evil.example/',
      'https://dhl.example:1@evil.example',
      'https://dhl.example\\@evil.example',
    ],
  ])
    expect(textOf({ tracking })).toContain('See your order');
  expect(textOf({ isVerified: 0 })).not.toMatch(/Hartfield|Ada/);
});
