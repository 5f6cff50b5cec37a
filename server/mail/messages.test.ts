import { expect, test } from 'vitest';
import { composeMessage } from './messages.ts';
import type { MailedOrder } from './order-mail.ts';

const sender = {
  storeName: 'Colophon',
  publicUrl: new URL('https://shop.example'),
  from: { name: 'The Shop', address: 'orders@shop.example' },
};
const stored: MailedOrder = {
  ...{ id: 'o1', customerId: 'c1', bookId: 'b1', title: 'Emma', author: 'Jane Austen', priceCents: 1299 },
  ...{ time: 'Sat Nov 21 2026', buyerName: '', buyerEmail: 'reader@example.com', deliveryAddress: null },
  ...{ placedAt: 0, withdrawalDays: 14, mailDueAt: 0, attempts: 1, error: null, sentAt: null },
  ...{ receiptSentAt: null, noticeSentAt: null, acknowledgementSentAt: null, withdrawalNoticeSentAt: null },
  ...{ withdrawnAt: null, withdrawnBy: null, withdrawalReason: null, orderMailEndedAt: null },
};

const greetingOf = (buyerName: string) => {
  const { text, to } = composeMessage('receipt', { ...stored, buyerName }, sender);
  expect(composeMessage('notice', { ...stored, buyerName }, sender).text).toContain(buyerName);
  return [text.match(/\n\n(.*) receipt\.\n/)?.[1], to];
};

test('a receipt does not greet its reader by an address of the web, and greets by a name, also one with initials', () => {
  const addresses = [
    ...['YOU WON, collect at https://evil.example/prize and', 'See www.evil today', 'evil.example'],
    ...[
      'evil。example',
      'evil.ⓒⓞⓜ',
      'evil\u2024com',
      'evil\uFE52com',
      '8.8.8.8/win',
      'mailto:x@y',
      'tel:555',
    ],
    ...['\u00AD', '\u200B', '\u2060', '\u034F', '\uFE0F'].map((unseen) => `evil.${unseen}com`),
    ...['x@y', 'Evil.Shop', 'X.Shop/win', 'evil.x.Shop', 'A'.repeat(61)],
  ];

  for (const name of addresses)
    expect([name, ...greetingOf(name)]).toEqual([
      name,
      'Here is your',
      { name: '', address: stored.buyerEmail },
    ]);

  const names = [
    ...['Ada Lovelace', 'J. R. R. Tolkien', 'J.R.R.Tolkien', 'Dr. Ngũgĩ wa Thiong’o', 'A'.repeat(60)],
    ...['St.John Smith', 'Mary O.Connor', 'Reader: Ada'],
  ];
  for (const name of names)
    expect(greetingOf(name)).toEqual([`Hello ${name}, here is your`, { name, address: stored.buyerEmail }]);
});

test('a message has where to send the book, in lines', () => {
  const order = { ...stored, deliveryAddress: '1 <Hartfield> Lane\nHighbury' };

  const { text, html } = composeMessage('receipt', order, sender);

  expect(text).toContain('Send to: 1 <Hartfield> Lane\n         Highbury\n');
  expect(html).toContain('>1 &lt;Hartfield&gt; Lane\nHighbury</td>');
  expect(composeMessage('receipt', stored, sender).text).not.toContain('Send to');
});

test('a receipt does not repeat an address of the web, nor an acknowledgement that reason; the notices to the shop do', () => {
  const texts = [
    ...['Win at evil.example://x', 'www.evil.example', 'ⓌⓌⓌ.evil', 'x@evil.example'],
    ...['Win at evil.example', 'evil。example', 'evil.\u200Bshop', 'evil.Shop/win'],
  ];
  const repeated = 'c/o J.R.R.Tolkien, apt. 3.12\nNo.12b, St.John’s Road\nP.O. Box 7';
  expect(composeMessage('receipt', { ...stored, deliveryAddress: repeated }, sender).html).toContain(
    repeated,
  );
  for (const text of texts) {
    const order = { ...stored, deliveryAddress: text };
    const withdrawn = { ...stored, withdrawnAt: 0, withdrawalReason: text };

    expect(composeMessage('receipt', order, sender).text, text).not.toContain('evil');
    expect(composeMessage('notice', order, sender).text).toContain(text);
    expect(composeMessage('acknowledgement', withdrawn, sender).text, text).toContain(
      'The reason that you gave',
    );
    expect(composeMessage('withdrawal-notice', withdrawn, sender).text).toContain(text);
  }
});

test.each([
  ['customer', null, 'Withdrawal received: Emma', 'Withdrawn: Emma', 'Do not send it.'],
  ['customer', 1, 'Withdrawal received: Emma', 'Withdrawn: Emma', 'It was sent.'],
  ['shop', null, 'Order cancelled: Emma', 'Cancelled: Emma', 'Do not send it.'],
  ['shop', 1, 'Withdrawal received: Emma', 'Withdrawn: Emma', 'It was sent.'],
] as const)(
  'a withdrawal by the %s of an order that was sent at %j says so',
  (withdrawnBy, sentAt, ...words) => {
    const at = { sentAt, withdrawnAt: Date.UTC(2026, 10, 23, 8, 21, 5) };
    const order = { ...stored, ...at, withdrawnBy, withdrawalReason: 'Its spine is broken.' };

    const acknowledgement = composeMessage('acknowledgement', order, sender);
    const notice = composeMessage('withdrawal-notice', order, sender);

    expect([acknowledgement.subject, notice.subject]).toEqual(words.slice(0, 2));
    expect(notice.text).toContain(words[2]);
    expect(acknowledgement.text).toContain('Withdrawn: Mon, 23 Nov 2026 08:21:05 UTC\n');
    expect(acknowledgement.text).toContain('Its spine is broken.');
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

test('a receipt shows the book by one address for all its buyers where the shop has https, and the other messages do not', () => {
  const order = { ...stored, bookId: '"><b>' };
  const pictureIn = (html: string) => /<img src="([^"]*)"/.exec(html)?.[1];

  const { text, html } = composeMessage('receipt', order, sender);
  const ofOther = { ...order, id: 'o2', customerId: 'c2', buyerEmail: 'x@y' };
  const other = composeMessage('receipt', ofOther, sender);

  expect(pictureIn(html)).toBe('https://shop.example/cards/%22%3E%3Cb%3E-00000000.jpg');
  expect(pictureIn(other.html)).toBe(pictureIn(html));
  expect(text).not.toContain('/cards/');
  for (const kind of ['notice', 'acknowledgement', 'withdrawal-notice'] as const)
    expect(pictureIn(composeMessage(kind, { ...order, withdrawnAt: 0 }, sender).html)).toBeUndefined();
  const local = { ...sender, publicUrl: new URL('http://localhost:3000') };
  expect(pictureIn(composeMessage('receipt', order, local).html)).toBeUndefined();
});
