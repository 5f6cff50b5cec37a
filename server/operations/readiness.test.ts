import { expect, test } from 'vitest';
import { shareTestStore } from '../testing/test-store.ts';
import { openReadiness } from './readiness.ts';

const store = shareTestStore();

function openCounted() {
  const counted = { looks: 0, fault: undefined as Error | undefined };
  const { check } = openReadiness({
    db: store.database.db,
    async checkFile() {
      counted.looks += 1;
      if (counted.fault) throw counted.fault;
    },
  });
  return { counted, check };
}

test('100 simultaneous checks of readiness share one look, and so does the one after them', async () => {
  const { counted, check } = openCounted();

  await Promise.all(Array.from({ length: 100 }, check));
  await check();

  expect(counted.looks).toBe(1);
});

test('a fault of the database shows within a quarter of a second, and its end as soon', async () => {
  const { counted, check } = openCounted();
  const isReady = () =>
    check().then(
      () => true,
      () => false,
    );
  expect(await isReady()).toBe(true);

  counted.fault = new Error('the file is gone');
  const startedAt = performance.now();
  await expect.poll(isReady, { interval: 10 }).toBe(false);
  counted.fault = undefined;
  await expect.poll(isReady, { interval: 10 }).toBe(true);

  const seconds = (performance.now() - startedAt) / 1000;
  expect(counted.looks).toBeLessThan(10 + seconds * 4);
});
