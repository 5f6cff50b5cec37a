import { expect, test } from 'vitest';
import { shareTestStore } from '../testing/test-store.ts';
import { openReadiness } from './readiness.ts';

const store = shareTestStore();

test('simultaneous checks of readiness share a look, and the next one sees a fault or its end', async () => {
  const counted = { looks: 0, fault: undefined as Error | undefined };
  const { check } = openReadiness({
    healthDb: store.database.db,
    async checkFile() {
      counted.looks += 1;
      if (counted.fault) throw counted.fault;
    },
  });

  await Promise.all(Array.from({ length: 100 }, check));
  expect(counted.looks).toBe(1);
  counted.fault = new Error('the file is gone');
  await expect(check()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  counted.fault = undefined;
  await check();
});
