/** The progress of a long command: one line on a terminal, which is rewritten; nothing elsewhere. */

import { openPace } from '../server/import/pace.ts';
import type { Io } from './command.ts';
import { grouped } from './print.ts';

const intervalMs = 200;
const rewrite = (out: Io['stderr'], text: string) => out.write(`\r\u001b[K${text}`);

/** Shows how far a file of rows is. @param totalBytes of the file; undefined if that is not known. */
export function openMeter(out: Io['stderr'], totalBytes: number | undefined) {
  const pace = openPace(totalBytes);
  let shownAt = 0;
  return {
    show(done: { bytes: number; rows: number }): void {
      const now = performance.now();
      if (!out.isTTY || now - shownAt < intervalMs) return;
      shownAt = now;
      const { rowsPerSecond, secondsLeft } = pace(done);
      const left = secondsLeft === undefined ? '' : `, ${clock(secondsLeft)} left`;
      rewrite(out, `${grouped(done.rows)} rows, ${grouped(rowsPerSecond)} rows/s${left}`);
    },
    /** Removes the line. */
    clear(): void {
      if (shownAt > 0) rewrite(out, '');
    },
  };
}

const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** Shows how far work in several steps is. */
export function openStepMeter(out: Io['stderr']) {
  let shownAt = 0;
  let shownStep = '';
  return {
    /** @param share of the step, from 0 to 1; undefined if it is not known. */
    show(step: string, bytes: number, share?: number): void {
      const now = performance.now();
      if (!out.isTTY || (step === shownStep && now - shownAt < intervalMs)) return;
      shownAt = now;
      shownStep = step;
      const size = bytes > 0 ? ` ${grouped(Math.round(bytes / 1e6))} MB` : '';
      rewrite(
        out,
        `${step}${size}${share === undefined ? '' : `, ${Math.min(99, Math.floor(share * 100))} %`}`,
      );
    },
    /** Removes the line. */
    clear(): void {
      if (shownStep !== '') rewrite(out, '');
    },
  };
}
