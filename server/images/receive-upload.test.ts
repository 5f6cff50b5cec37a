import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { arrivalLimits, watchArrival } from './receive-upload.ts';

test('a body that does not arrive at all is given up after some five seconds, with REQUEST_TIMEOUT', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  try {
    const arrival = watchArrival(new PassThrough(), arrivalLimits);
    vi.advanceTimersByTime(4_900);
    expect(arrival.signal.aborted).toBe(false);

    vi.advanceTimersByTime(2_000);

    expect(arrival.signal.aborted).toBe(true);
    await expect(arrival.failure).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' });
    arrival.stop();
  } finally {
    vi.useRealTimers();
  }
});
