import { expect, test } from 'vitest';
import { authorsOf } from './search-text.ts';

test('each author of a text has a name of its own, with the words that belong to it', () => {
  expect(authorsOf('Jacob Grimm, Wilhelm Grimm; Hergé & Hergé')).toEqual([
    ...['Jacob Grimm', 'Wilhelm Grimm', 'Hergé'],
  ]);
  expect(authorsOf('Martin Luther King, Jr., Cornel West')).toEqual([
    'Martin Luther King, Jr.',
    'Cornel West',
  ]);
  expect(authorsOf(' , ')).toEqual([]);
});
