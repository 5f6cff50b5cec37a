import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { arrivalLimits, watchArrival } from './receive-upload.ts';

const limits = { maxBytes: 1_000, minBytesPerS: 100, graceMs: 0 };

test('a body that arrives too slowly is given up with REQUEST_TIMEOUT', async () => {
  const body = new PassThrough();
  const arrival = watchArrival(body, limits);
  body.write('a');

  await expect(arrival.failure).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' });
  expect(arrival.signal.aborted).toBe(true);
  arrival.stop();
});

test('a body above its limit is given up with BODY_TOO_LARGE, although it announced no length', async () => {
  const body = new PassThrough();
  const arrival = watchArrival(body, limits);
  body.write(Buffer.alloc(600));
  body.write(Buffer.alloc(600));

  await expect(arrival.failure).rejects.toMatchObject({ code: 'BODY_TOO_LARGE' });
  arrival.stop();
});

test('a body that does not arrive at all is given up after some five seconds', async () => {
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
