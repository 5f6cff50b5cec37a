import { expect, test } from 'vitest';
import { shareTestStore } from '../testing/test-store.ts';
import { findKnown, lastFound } from './known-sessions.ts';

const store = shareTestStore();

test('2,000 sessions are known, those that were looked up last', async () => {
  const { db } = store.database;
  const look = (number: number) =>
    findKnown(
      db,
      `session ${number}`,
      async () => ({ number }),
      () => true,
    );

  for (let number = 0; number < 2_500; number += 1) await look(number);

  const known = Array.from({ length: 2_500 }, (_, number) => lastFound(db, `session ${number}`));
  expect(known.filter((row) => row !== undefined)).toHaveLength(2_000);
  expect(known.at(-1)).toEqual({ number: 2_499 });
});
