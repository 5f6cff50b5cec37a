import { expect, onTestFinished, test, vi } from 'vitest';
import { ApiProblem } from '../../api/client.ts';
import { randomId } from '../../memory/platform.ts';
import { type PendingOrder, storedOrder } from './pending-order.ts';

type StoredOrder = ReturnType<typeof storedOrder>;

const unread = new ApiProblem(429, {});
const lost = new TypeError('Failed to fetch');

/** Sends the order to a store whose response is an error. */
const fail = (storage: StoredOrder, order: PendingOrder, error: Error) =>
  storage.send(order, () => Promise.reject(error)).catch(() => undefined);

const ordered = { title: 'Emma', author: 'Jane Austen', price: 9.99, time: 'Sat Nov 21 2026' };

const open = (storage: StoredOrder, changes: Partial<PendingOrder['ordered']> = {}) => {
  const order = storage.open({ ...ordered, ...changes });
  storage.keep(order);
  return order;
};
const sent = { wasSent: true, wasOffline: false };

test('the same checkout opened again is the same pending order, until the order becomes another; each book has its own', () => {
  const buyer = randomId();
  const storage = storedOrder(buyer, 'emma');
  const emma = open(storage);
  expect(open(storedOrder(buyer, 'persuasion')).key).not.toBe(emma.key);
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
  const storage = storedOrder(randomId(), 'emma');
  const first = open(storage);
  await fail(storage, first, unread);
  expect(open(storage)).toMatchObject(first);
  let during: PendingOrder | undefined;
  await storage
    .send(first, async () => {
      during = open(storage);
      throw lost;
    })
    .catch(() => undefined);

  expect(during).toEqual({ ...first, ...sent });
  storage.keep(first);
  await fail(storage, first, unread);
  expect(open(storage, { price: 12.5 })).toEqual({ ...first, ...sent });
  storage.remove();
  expect(open(storage).key).not.toBe(first.key);
});

test('an order that was sent without a connection keeps its key, until one that may have left', async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  const storage = storedOrder(randomId(), 'emma');
  const first = open(storage);
  for (const [onLine, wasOffline] of [
    [false, true],
    [false, true],
    [true, false],
    [false, false],
  ] as const) {
    vi.stubGlobal('navigator', { onLine });
    await fail(storage, open(storage), lost);
    expect(open(storage, { price: 12.5 })).toEqual({ ...first, wasSent: true, wasOffline });
  }
});
