/** The progress of a long command: one line on a terminal, which is rewritten; nothing elsewhere. */

import type { WriteStream } from 'node:tty';
import { openPace } from '../../server/catalogue/import/pace.ts';

export type Meter = {
  show(done: { bytes: number; rows: number }): void;
  /** Removes the line. */
  clear(): void;
};

const intervalMs = 200;

/** @param totalBytes of the file; undefined if that is not known. */
export function openMeter(out: Pick<WriteStream, 'isTTY' | 'write'>, totalBytes: number | undefined): Meter {
  const pace = openPace(totalBytes);
  let shownAt = 0;
  const rewrite = (text: string) => out.write(`\r\u001b[K${text}`);
  return {
    show(done) {
      const now = performance.now();
      if (!out.isTTY || now - shownAt < intervalMs) return;
      shownAt = now;
      const { rowsPerSecond, secondsLeft } = pace(done);
      const left = secondsLeft === undefined ? '' : `, ${clock(secondsLeft)} left`;
      rewrite(`${grouped(done.rows)} rows, ${grouped(rowsPerSecond)} rows/s${left}`);
    },
    clear() {
      if (shownAt > 0) rewrite('');
    },
  };
}

const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** @returns the number with commas, such as `1,000,000`. */
export const grouped = (count: number): string => count.toLocaleString('en-GB');
