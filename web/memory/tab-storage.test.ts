import { expect, test } from 'vitest';
import { createTabStorage } from './tab-storage.ts';

const storageWith = (entries: [string, string][] = []) => {
  const kept = new Map(entries);
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
};

const blocked = () => {
  throw new DOMException('The operation is insecure.', 'SecurityError');
};

test('what is written is read again by the page that comes after a reload', () => {
  const storage = storageWith();
  expect(createTabStorage(() => storage).write('place', { y: 7 })).toBe(true);

  const afterReload = createTabStorage(() => storage);
  expect(afterReload.read('place')).toEqual({ y: 7 });

  afterReload.remove('place');
  expect(createTabStorage(() => storage).read('place')).toBeUndefined();
});

test.each(['{"y":', 'yes', '', 'null'])('%j, which is no value in JSON, counts as absent', (spoilt) => {
  const storage = storageWith([['place', spoilt]]);
  expect(createTabStorage(() => storage).read('place')).toBeUndefined();
});

test('where storage is blocked it remembers as long as the page stands, and says so', () => {
  const memory = createTabStorage(blocked);
  expect(memory.read('place')).toBeUndefined();

  expect(memory.write('place', { y: 7 })).toBe(false);
  expect(memory.read('place')).toEqual({ y: 7 });

  memory.remove('place');
  expect(memory.read('place')).toBeUndefined();
});

test('what no longer fits into the storage wins over what is older and did', () => {
  const storage = storageWith([['place', '1']]);
  const memory = createTabStorage(() => ({ ...storage, setItem: blocked }));

  memory.write('place', 2);

  expect(memory.read('place')).toBe(2);
});
