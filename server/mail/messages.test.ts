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
    title: 'Emma',
    author: 'Jane Austen',
    priceCents: 1299,
    time: 'Sat Nov 21 2026',
  },
  ...{ buyerName: '', buyerEmail: 'reader@example.com', placedAt: 0 },
  ...{ mailDueAt: 0, attempts: 1, error: null, receiptSentAt: null, noticeSentAt: null },
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

  expect(receipt.text).toContain('\n\nThis is the receipt of your order.\n');
  expect(receipt.to).toEqual({ name: '', address: stored.buyerEmail });
  expect(composeMessage('notice', { ...stored, buyerName }, sender).text).toContain(buyerName);
});

test.each([
  ...['Ada Lovelace', 'J. R. R. Tolkien', 'J.R.R.Tolkien', 'Dr. Ngũgĩ wa Thiong’o', 'A'.repeat(60)],
  ...['St.John Smith', 'Mary O.Connor', 'Reader: Ada'],
])('a receipt greets %j', (buyerName) => {
  const receipt = composeMessage('receipt', { ...stored, buyerName }, sender);

  expect(receipt.text).toContain(`\n\n${buyerName}, this is the receipt of your order.\n`);
  expect(receipt.to).toEqual({ name: buyerName, address: stored.buyerEmail });
});
