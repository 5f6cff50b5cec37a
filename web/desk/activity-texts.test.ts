import { expect, test } from 'vitest';
import type { ActivityEntry } from '../../contract/desk/activity.ts';
import { changesOf, sentenceOf, subjectOf } from './activity-texts.ts';

const id = '0190a1b2-0000-7000-8000-000000000000';
const entry = (changes: Partial<ActivityEntry>): ActivityEntry => ({
  at: '2026-11-21T10:00:00.000Z',
  action: 'book-edited',
  email: null,
  customerId: null,
  address: null,
  bookId: null,
  bookTitle: null,
  token: null,
  subject: null,
  details: null,
  ...changes,
});

test('an entry reads as a sentence', () => {
  const imported = { state: 'finished', added: 1200, changed: 3, errors: 0 };
  const stopped = { state: 'stopped', added: 2, changed: 3, restored: 1, errors: 1, line: 1234 };
  const entries: [string, ActivityEntry['details'], string][] = [
    ['orders-marked', { isSent: true, orders: 3, ids: 'a b c' }, 'Marked 3 orders as sent'],
    ['orders-marked', { isSent: false, orders: 1 }, 'Marked 1 order as new'],
    ['orders-marked', { isPaid: false, orders: 2 }, 'Marked 2 orders as not paid'],
    ['orders-marked', { isTracking: true, orders: 1 }, 'Changed the tracking of 1 order'],
    ['orders-marked', null, 'Marked orders'],
    ['order-withdrawn', { isSent: true }, 'Withdrew an order'],
    ['order-withdrawn', { isSent: false }, 'Cancelled an order'],
    ['order-settled', { isRefunded: true }, 'Marked an order as refunded'],
    ['order-settled', { isRefunded: true, isAsked: true }, 'Marked an order as to be refunded'],
    ['order-settled', { isReturned: false }, 'Marked an order as not returned'],
    ['orders-exported', { format: 'csv', state: 'all' }, 'Exported the orders as CSV'],
    [
      'orders-exported',
      { format: 'jsonl', state: 'new', isSearch: true },
      'Exported the new orders of a search as JSON Lines',
    ],
    ['books-imported', imported, 'Imported books: 1,200 added, 3 changed'],
    [
      'books-imported',
      stopped,
      'Imported books: 2 added, 2 changed, 1 restored, 1 wrong row; stopped at line 1,234',
    ],
    [
      'books-imported',
      { ...imported, state: 'running', line: 3 },
      'Imported books: 1,200 added, 3 changed; not finished, at line 3',
    ],
    ['customer-signed-out', { sessions: 2 }, 'Signed a customer out of 2 browsers'],
    ['token-created', { may: 'catalogue' }, 'Created the token feed for the catalogue'],
    ['of-a-newer-version', { x: 1 }, 'of-a-newer-version'],
  ];
  for (const [action, details, sentence] of entries) {
    expect(sentenceOf(entry({ action, details, subject: 'feed' }))).toBe(sentence);
  }
});

test('an edit tells old and new values, and one of an older version the fields', () => {
  const from = { oldPrice: 12.99, oldTitle: 'Emma', oldKeywords: '' };
  const to = { newPrice: 10.99, newTitle: 'Emma!', newKeywords: 'regency' };
  const details = { fields: 'keywords, price, title', ...from, ...to };

  expect(changesOf(entry({ details }))).toEqual([
    'Title “Emma” → “Emma!”',
    'Price $12.99 → $10.99',
    'Subjects nothing → “regency”',
  ]);
  expect(changesOf(entry({ details: { fields: 'price' } }))).toEqual(['price']);
});

test('an entry leads to its book, order or customer', () => {
  const book = { bookId: id, bookTitle: 'Emma' };
  expect(subjectOf(entry(book))).toEqual({ words: 'Emma', address: `/desk/books?q=${id}` });
  expect(subjectOf(entry({ ...book, action: 'book-deleted' }))?.address).toBe(
    `/desk/books?q=${id}&state=deleted`,
  );
  expect(subjectOf(entry({ ...book, bookId: 'b1' }))?.address).toBe('/desk/books?q=Emma');
  const addressOf = (action: string, subject = id) => subjectOf(entry({ action, subject }))?.address;
  expect(addressOf('orders-marked')).toBe(`/desk/orders?q=${id}`);
  expect(addressOf('order-withdrawn')).toBe(`/desk/orders?q=${id}`);
  expect(addressOf('customer-blocked')).toBe(`/desk/customers?q=${id}`);
  expect(addressOf('customer-erased')).toBeUndefined();
  expect(addressOf('books-imported')).toBeUndefined();
  expect(addressOf('token-created', 'feed')).toBeUndefined();
});
