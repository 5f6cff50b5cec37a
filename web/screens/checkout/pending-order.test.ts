import { expect, test } from 'vitest';
import type { TabStorage } from '../../memory/tab-storage.ts';
import { emptyStorage } from '../../testing/storage.ts';
import {
  discardPendingOrder,
  keepPendingOrder,
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

const open = (storage: TabStorage, changes: Partial<PendingOrder['ordered']> = {}) => {
  const order = openPendingOrder(storage, 'emma', { ...ordered, ...changes });
  keepPendingOrder(storage, 'emma', order);
  return order;
};
const sent = { wasSent: true, wasOffline: false };

test('the same checkout opened again is the same pending order, until the order becomes another; each book has its own', () => {
  const storage = emptyStorage();
  const emma = open(storage);
  expect(openPendingOrder(storage, 'persuasion', ordered).key).not.toBe(emma.key);
  expect(open(storage)).toEqual(emma);
  for (const change of [
    ...[{ price: 12.5 }, { time: 'Sun Nov 22 2026' }, { title: 'Emma, revised' }, { author: 'Austen' }],
    ...[{ bookId: 'emma' }, { way: 'post' }, { total: 17.89 }, { gift: { text: 'For Ada' } }],
  ]) {
    const before = open(storage);
    const next = open(storage, change);
    expect(next.key, JSON.stringify(change)).not.toBe(before.key);
    expect(next.ordered).toEqual({ ...ordered, ...change });
  }
});

test('a pending order that was sent keeps its key and its contents, from then on and until it is discarded', async () => {
  const storage = emptyStorage();
  const first = open(storage);
  await fail(storage, first, unread);
  expect(open(storage)).toMatchObject(first);
  let during: PendingOrder | undefined;
  await sendPendingOrder(storage, 'emma', first, {
    send: async () => {
      during = open(storage);
      throw lost;
    },
    isUnread: () => false,
    isOffline: false,
  }).catch(() => undefined);

  expect(during).toEqual({ ...first, ...sent });
  keepPendingOrder(storage, 'emma', first);
  await fail(storage, first, unread);
  expect(open(storage, { price: 12.5 })).toEqual({ ...first, ...sent });
  discardPendingOrder(storage, 'emma');
  expect(open(storage).key).not.toBe(first.key);
});

test('an order that was sent without a connection keeps its key, until one that may have left', async () => {
  const storage = emptyStorage();
  const first = open(storage);
  for (const [isOffline, wasOffline] of [
    [true, true],
    [true, true],
    [false, false],
    [true, false],
  ] as const) {
    await fail(storage, open(storage), lost, isOffline);
    expect(open(storage, { price: 12.5 })).toEqual({ ...first, wasSent: true, wasOffline });
  }
});
