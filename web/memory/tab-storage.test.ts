import { expect, test } from 'vitest';
import { storageWith } from '../testing/storage.ts';
import { createTabStorage } from './tab-storage.ts';

const blocked = () => {
  throw new DOMException('The operation is insecure.', 'SecurityError');
};

test('a value that was written can be read after a reload', () => {
  const storage = storageWith();
  expect(createTabStorage(() => storage).write('place', { y: 7 })).toBe(true);

  const afterReload = createTabStorage(() => storage);
  expect(afterReload.read('place')).toEqual({ y: 7 });

  afterReload.remove('place');
  expect(createTabStorage(() => storage).read('place')).toBeUndefined();
});

test('a stored text that has no JSON value is read as absent', () => {
  for (const text of ['{"y":', 'yes', '', 'null']) {
    const storage = storageWith([['place', text]]);
    expect(createTabStorage(() => storage).read('place'), text).toBeUndefined();
  }
});

test('a blocked storage keeps values in memory, and write returns false', () => {
  const memory = createTabStorage(blocked);
  expect(memory.read('place')).toBeUndefined();

  expect(memory.write('place', { y: 7 })).toBe(false);
  expect(memory.read('place')).toEqual({ y: 7 });

  memory.remove('place');
  expect(memory.read('place')).toBeUndefined();
});

test('a value that did not fit into the storage replaces the older one there, until one fits', () => {
  const storage = storageWith([['place', '1']]);
  let isFull = true;
  const memory = createTabStorage(() => (isFull ? { ...storage, setItem: blocked } : storage));

  memory.write('place', 2);
  expect(memory.read('place')).toBe(2);

  isFull = false;
  memory.write('place', 3);
  expect(memory.read('place')).toBe(3);
});
