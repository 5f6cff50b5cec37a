import { expect, test } from 'vitest';
import { emptyStorage } from '../../memory/test-storage.ts';
import { discardPendingOrder, markSent, openPendingOrder } from './pending-order.ts';

const email = 'ada@example.com';
const ordered = { title: 'Emma', author: 'Jane Austen', price: 9.99, time: 'Sat Nov 21 2026' };

test('the same checkout opened again is the same pending order', () => {
  const storage = emptyStorage();
  const first = openPendingOrder(storage, 'emma', email, ordered);
  expect(openPendingOrder(storage, 'emma', email, { ...ordered })).toEqual(first);
});

test('each book has its own pending order', () => {
  const storage = emptyStorage();
  const emma = openPendingOrder(storage, 'emma', email, ordered);
  const other = openPendingOrder(storage, 'persuasion', email, { ...ordered, title: 'Persuasion' });
  expect(other.key).not.toBe(emma.key);
  expect(openPendingOrder(storage, 'emma', email, ordered)).toEqual(emma);
});

test.each([{ price: 12.5 }, { time: 'Sun Nov 22 2026' }, { title: 'Emma, revised' }])(
  'a pending order that was not sent is replaced when the order becomes %j',
  (change) => {
    const storage = emptyStorage();
    const first = openPendingOrder(storage, 'emma', email, ordered);
    const next = openPendingOrder(storage, 'emma', email, { ...ordered, ...change });
    expect(next.key).not.toBe(first.key);
    expect(next.ordered).toEqual({ ...ordered, ...change });
  },
);

test('a pending order that was sent keeps its key and its contents until it is discarded', () => {
  const storage = emptyStorage();
  const sent = openPendingOrder(storage, 'emma', email, ordered);
  markSent(storage, 'emma', sent);

  const again = openPendingOrder(storage, 'emma', email, { ...ordered, price: 12.5 });
  expect(again).toEqual({ ...sent, wasSent: true });

  discardPendingOrder(storage, 'emma');
  expect(openPendingOrder(storage, 'emma', email, ordered).key).not.toBe(sent.key);
});

test('another customer does not get a pending order, even one that was sent', () => {
  const storage = emptyStorage();
  const first = openPendingOrder(storage, 'emma', email, ordered);
  markSent(storage, 'emma', first);
  expect(openPendingOrder(storage, 'emma', 'ben@example.com', ordered)).toMatchObject({
    email: 'ben@example.com',
    wasSent: false,
  });
});
