import { expect, test } from 'vitest';
import { BoundedMap, memoryAdapter } from './identity-memory.ts';

test('the oldest entry is removed when there are more than 500', () => {
  const memory = new BoundedMap<number>();
  for (let index = 0; index < 501; index += 1) memory.set(`key ${index}`, index);

  expect(memory.get('key 0')).toBeUndefined();
  expect(memory.get('key 1')).toBe(1);
  expect(memory.get('key 500')).toBe(500);
});

test('an entry that is set again becomes the newest', () => {
  const memory = new BoundedMap<number>();
  for (let index = 0; index < 500; index += 1) memory.set(`key ${index}`, index);
  memory.set('key 0', 1000);
  memory.set('one more', 0);

  expect(memory.get('key 0')).toBe(1000);
  expect(memory.get('key 1')).toBeUndefined();
});

test('revoking a grant removes its tokens and no others', async () => {
  const tokens = memoryAdapter('AccessToken');
  await tokens.upsert('one', { grantId: 'granted' }, 60);
  await tokens.upsert('two', { grantId: 'other' }, 60);

  await tokens.revokeByGrantId('granted');

  expect(await tokens.find('one')).toBeUndefined();
  expect(await tokens.find('two')).toEqual({ grantId: 'other' });
});

test('a provider session is not stored', async () => {
  const sessions = memoryAdapter('Session');
  await sessions.upsert('id', { uid: 'uid' }, 60);

  expect(await sessions.find('id')).toBeUndefined();
});
