import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DeliveryError } from './delivery-error.ts';
import { watchServer } from './server-health.ts';

test('a server’s health remembers the 1,000 messages that failed last', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const health = watchServer('server', pino({ level: 'silent' }), { firstMs: 1, maxMs: 1 });
  const failure = new DeliveryError('server', { message: 'no answer', code: 'ECONNREFUSED' });
  const ids = Array.from({ length: 2_500 }, (_, number) => ({ id: String(number) }));
  for (const item of ids) expect(health.isAboutMessage(item, failure)).toBe(false);

  vi.advanceTimersByTime(1);
  health.recordTaken();

  // From the newest on: one that was forgotten is remembered anew, in the place of another one.
  expect(ids.toReversed().filter((item) => health.isAboutMessage(item, failure))).toHaveLength(1_000);
});
