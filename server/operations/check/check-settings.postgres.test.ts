import { expect, test } from 'vitest';
import { createTestDatabase } from '../../testing/test-database.ts';
import { checkSettings } from './check-settings.ts';

test('a check of settings connects to PostgreSQL and changes nothing', async () => {
  const { url, use } = await createTestDatabase();
  const env = { DATABASE_URL: url };
  const outcomes = async () =>
    (await checkSettings(env)).slice(0, 1).map(({ name, ok, reason }) => [name, ok, reason]);

  const before = await outcomes();
  const beside = await use(outcomes);

  expect(before[0]).toEqual([
    'DATABASE_URL',
    true,
    expect.stringMatching(/ has no tables of the store: its first start makes them\.$/),
  ]);
  expect(beside).toEqual([['DATABASE_URL', true, 'the database can be opened.']]);
});
