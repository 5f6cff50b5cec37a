import { expect, test } from 'vitest';
import { ExpiringMemory, memoryAdapter } from './identity-memory.ts';

test('forgets an entry when its lifetime is over', () => {
  const memory = new ExpiringMemory<string>();
  memory.set('over', 'value', 0);
  memory.set('living', 'value', 60);

  expect(memory.get('over')).toBeUndefined();
  expect(memory.get('living')).toBe('value');
});

test('lets the oldest go when there are more than 500', () => {
  const memory = new ExpiringMemory<number>();
  for (let index = 0; index < 501; index += 1) memory.set(`key ${index}`, index, 60);

  expect(memory.get('key 0')).toBeUndefined();
  expect(memory.get('key 1')).toBe(1);
  expect(memory.get('key 500')).toBe(500);
});

test('takes a renewed entry for a new one', () => {
  const memory = new ExpiringMemory<number>();
  for (let index = 0; index < 500; index += 1) memory.set(`key ${index}`, index, 60);
  memory.set('key 0', 1000, 60);
  memory.set('one more', 0, 60);

  expect(memory.get('key 0')).toBe(1000);
  expect(memory.get('key 1')).toBeUndefined();
});

test('revokes what was granted together, and nothing else', async () => {
  const tokens = memoryAdapter('AccessToken');
  await tokens.upsert('one', { grantId: 'granted' }, 60);
  await tokens.upsert('two', { grantId: 'other' }, 60);

  await tokens.revokeByGrantId('granted');

  expect(await tokens.find('one')).toBeUndefined();
  expect(await tokens.find('two')).toEqual({ grantId: 'other' });
});

test('keeps no provider session', async () => {
  const sessions = memoryAdapter('Session');
  await sessions.upsert('id', { uid: 'uid' }, 60);

  expect(await sessions.find('id')).toBeUndefined();
});
