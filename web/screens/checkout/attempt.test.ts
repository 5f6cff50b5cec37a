import { expect, test } from 'vitest';
import { tabMemoryIn } from '../../tab-memory.ts';
import { closeAttempt, markSent, openAttempt } from './attempt.ts';

const email = 'ada@example.com';
const ordered = { title: 'Emma', author: 'Jane Austen', price: 9.99, time: 'Sat Nov 21 2026' };

const emptyMemory = () => {
  const kept = new Map<string, string>();
  return tabMemoryIn(() => ({
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }));
};

test('the same checkout opened again is the same attempt', () => {
  const attempts = emptyMemory();
  const first = openAttempt(attempts, 'emma', email, ordered);
  expect(openAttempt(attempts, 'emma', email, { ...ordered })).toEqual(first);
});

test('each book has an attempt of its own', () => {
  const attempts = emptyMemory();
  const emma = openAttempt(attempts, 'emma', email, ordered);
  const other = openAttempt(attempts, 'persuasion', email, { ...ordered, title: 'Persuasion' });
  expect(other.key).not.toBe(emma.key);
  expect(openAttempt(attempts, 'emma', email, ordered)).toEqual(emma);
});

test.each([{ price: 12.5 }, { time: 'Sun Nov 22 2026' }, { title: 'Emma, revised' }])(
  'an attempt that was not sent gives way when the order becomes %j',
  (change) => {
    const attempts = emptyMemory();
    const first = openAttempt(attempts, 'emma', email, ordered);
    const next = openAttempt(attempts, 'emma', email, { ...ordered, ...change });
    expect(next.key).not.toBe(first.key);
    expect(next.ordered).toEqual({ ...ordered, ...change });
  },
);

test('an attempt that was sent keeps its key and its contents until it is closed', () => {
  const attempts = emptyMemory();
  const sent = openAttempt(attempts, 'emma', email, ordered);
  markSent(attempts, 'emma', sent);

  const again = openAttempt(attempts, 'emma', email, { ...ordered, price: 12.5 });
  expect(again).toEqual({ ...sent, wasSent: true });

  closeAttempt(attempts, 'emma');
  expect(openAttempt(attempts, 'emma', email, ordered).key).not.toBe(sent.key);
});

test('another customer does not inherit an attempt, even one that was sent', () => {
  const attempts = emptyMemory();
  const first = openAttempt(attempts, 'emma', email, ordered);
  markSent(attempts, 'emma', first);
  expect(openAttempt(attempts, 'emma', 'ben@example.com', ordered)).toMatchObject({
    email: 'ben@example.com',
    wasSent: false,
  });
});
