import { expect, test, vi } from 'vitest';
import { shareTestStore } from '../testing/test-store.ts';
import { openReadiness } from './readiness.ts';

const store = shareTestStore();

test('checks of readiness share a look for a quarter of a second, and then see a fault or its end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    const counted = { looks: 0, fault: undefined as Error | undefined };
    const { check } = openReadiness({
      healthDb: store.database.db,
      async checkFile() {
        counted.looks += 1;
        if (counted.fault) throw counted.fault;
      },
    });

    await Promise.all(Array.from({ length: 100 }, check));
    counted.fault = new Error('the file is gone');
    await check();
    expect(counted.looks).toBe(1);

    vi.advanceTimersByTime(250);
    await expect(check()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    counted.fault = undefined;
    vi.advanceTimersByTime(250);
    await check();
    expect(counted.looks).toBe(3);
  } finally {
    vi.useRealTimers();
  }
});
