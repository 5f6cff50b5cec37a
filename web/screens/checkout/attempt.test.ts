import { expect, test } from 'vitest';
import { closeAttempt, markSent, openAttempt } from './attempt.ts';

const email = 'ada@example.com';
const ordered = { title: 'Emma', author: 'Jane Austen', price: 9.99, time: 'Sat Nov 21 2026' };

/** What sessionStorage does, as far as attempts need it. */
const emptyStore = () => {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
};

test('the same checkout opened again is the same attempt', () => {
  const attempts = emptyStore();
  const first = openAttempt(attempts, 'emma', email, ordered);
  expect(openAttempt(attempts, 'emma', email, { ...ordered })).toEqual(first);
});

test('each book has an attempt of its own', () => {
  const attempts = emptyStore();
  const emma = openAttempt(attempts, 'emma', email, ordered);
  const other = openAttempt(attempts, 'persuasion', email, { ...ordered, title: 'Persuasion' });
  expect(other.key).not.toBe(emma.key);
  expect(openAttempt(attempts, 'emma', email, ordered)).toEqual(emma);
});

test.each([{ price: 12.5 }, { time: 'Sun Nov 22 2026' }, { title: 'Emma, revised' }])(
  'an attempt that was not sent gives way when the order becomes %j',
  (change) => {
    const attempts = emptyStore();
    const first = openAttempt(attempts, 'emma', email, ordered);
    const next = openAttempt(attempts, 'emma', email, { ...ordered, ...change });
    expect(next.key).not.toBe(first.key);
    expect(next.ordered).toEqual({ ...ordered, ...change });
  },
);

test('an attempt that was sent keeps its key and its contents until it is closed', () => {
  const attempts = emptyStore();
  const sent = openAttempt(attempts, 'emma', email, ordered);
  markSent(attempts, 'emma', sent);

  const again = openAttempt(attempts, 'emma', email, { ...ordered, price: 12.5 });
  expect(again).toEqual({ ...sent, wasSent: true });

  closeAttempt(attempts, 'emma');
  expect(openAttempt(attempts, 'emma', email, ordered).key).not.toBe(sent.key);
});

test('another customer does not inherit an attempt, even one that was sent', () => {
  const attempts = emptyStore();
  const first = openAttempt(attempts, 'emma', email, ordered);
  markSent(attempts, 'emma', first);
  expect(openAttempt(attempts, 'emma', 'ben@example.com', ordered)).toMatchObject({
    email: 'ben@example.com',
    wasSent: false,
  });
});
