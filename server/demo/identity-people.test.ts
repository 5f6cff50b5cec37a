import { expect, test } from 'vitest';
import { subjectOf } from './identity-people.ts';

test('an address whose letters only look like those of another one is another person', () => {
  const subjectOfEmail = (email: string) => subjectOf({ name: 'Kate', email });

  expect(subjectOfEmail('Kate@example.com')).toBe(subjectOfEmail('kate@example.com'));
  // toLowerCase() makes k of U+212A, the Kelvin sign.
  expect(subjectOfEmail('\u212aate@example.com')).not.toBe(subjectOfEmail('kate@example.com'));
});
