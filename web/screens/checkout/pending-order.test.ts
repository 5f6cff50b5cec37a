import { expect, test } from 'vitest';
import type { TabStorage } from '../../memory/tab-storage.ts';
import { emptyStorage } from '../../memory/test-storage.ts';
import {
  discardPendingOrder,
  openPendingOrder,
  type PendingOrder,
  sendPendingOrder,
} from './pending-order.ts';

const unread = new Error('the store has not looked at it');
const lost = new Error('no response');

/** Sends the order to a store whose response is an error. */
const fail = (storage: TabStorage, order: PendingOrder, error: Error, isOffline = false) =>
  sendPendingOrder(storage, 'emma', order, {
    send: () => Promise.reject(error),
    isUnread: (thrown) => thrown === unread,
    isOffline,
  }).catch(() => undefined);

const ordered = { title: 'Emma', author: 'Jane Austen', price: 9.99, time: 'Sat Nov 21 2026' };

test('the same checkout opened again is the same pending order, and each book has its own', () => {
  const storage = emptyStorage();
  const emma = openPendingOrder(storage, 'emma', ordered);
  const other = openPendingOrder(storage, 'persuasion', { ...ordered, title: 'Persuasion' });
  expect(other.key).not.toBe(emma.key);
  expect(openPendingOrder(storage, 'emma', { ...ordered })).toEqual(emma);
});

test('a pending order that was not sent is replaced when the order becomes another', () => {
  for (const change of [
    ...[{ price: 12.5 }, { time: 'Sun Nov 22 2026' }, { title: 'Emma, revised' }, { author: 'Austen' }],
    { bookId: 'emma' },
  ]) {
    const storage = emptyStorage();
    const first = openPendingOrder(storage, 'emma', ordered);
    const next = openPendingOrder(storage, 'emma', { ...ordered, ...change });
    expect(next.key).not.toBe(first.key);
    expect(next.ordered).toEqual({ ...ordered, ...change });
  }
});

test('a pending order that was sent keeps its key and its contents until it is discarded', async () => {
  const storage = emptyStorage();
  const sent = openPendingOrder(storage, 'emma', ordered);
  await fail(storage, sent, lost);

  const again = openPendingOrder(storage, 'emma', { ...ordered, price: 12.5 });
  expect(again).toEqual({ ...sent, wasSent: true, wasOffline: false });

  discardPendingOrder(storage, 'emma');
  expect(openPendingOrder(storage, 'emma', ordered).key).not.toBe(sent.key);
});

test('an order counts as sent while its response is awaited', async () => {
  const storage = emptyStorage();
  const first = openPendingOrder(storage, 'emma', ordered);
  let during: PendingOrder | undefined;
  await sendPendingOrder(storage, 'emma', first, {
    send: async () => {
      during = openPendingOrder(storage, 'emma', ordered);
    },
    isUnread: () => false,
    isOffline: false,
  });

  expect(during).toEqual({ ...first, wasSent: true, wasOffline: false });
});

test('an order that the store has not looked at was not sent, and keeps its key', async () => {
  const storage = emptyStorage();
  const first = openPendingOrder(storage, 'emma', ordered);
  await fail(storage, first, unread);

  expect(openPendingOrder(storage, 'emma', ordered)).toMatchObject(first);
});

test('an order that was sent without a connection keeps its key, until one that may have left', async () => {
  const storage = emptyStorage();
  const first = openPendingOrder(storage, 'emma', ordered);
  const reopened = () => openPendingOrder(storage, 'emma', { ...ordered, price: 12.5 });
  await fail(storage, first, lost, true);
  await fail(storage, first, lost, true);
  expect(reopened()).toEqual({ ...first, wasSent: true, wasOffline: true });

  await fail(storage, reopened(), lost);
  expect(reopened()).toEqual({ ...first, wasSent: true, wasOffline: false });
  await fail(storage, first, lost, true);
  expect(reopened()).toEqual({ ...first, wasSent: true, wasOffline: false });
});

test('an order whose earlier response was lost still counts as sent', async () => {
  const storage = emptyStorage();
  const first = openPendingOrder(storage, 'emma', ordered);
  await fail(storage, first, lost);
  await fail(storage, first, unread);

  expect(openPendingOrder(storage, 'emma', ordered)).toMatchObject({ key: first.key, wasSent: true });
});
