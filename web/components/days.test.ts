import { expect, test } from 'vitest';
import { dayText } from './days.ts';

test('a day has its year when it is another one than this year', () => {
  const now = new Date('2026-01-02T12:00:00');
  expect(dayText(new Date('Thu Jan 01 2026'), now)).toBe('1 Jan');
  expect(dayText(new Date('Wed Dec 31 2025'), now)).toBe('31 Dec 2025');
});
