/** The progress of a command with several steps: one line on a terminal, which is rewritten; nothing elsewhere. */

import type { WriteStream } from 'node:tty';

const intervalMs = 200;

export function openStepMeter(out: Pick<WriteStream, 'isTTY' | 'write'>) {
  let shownAt = Number.NEGATIVE_INFINITY;
  let shownStep = '';
  const rewrite = (text: string) => out.write(`\r\u001b[K${text}`);
  return {
    /** @param share of the step, from 0 to 1; undefined if it is not known. */
    show(step: string, bytes: number, share?: number): void {
      const now = performance.now();
      if (!out.isTTY || (step === shownStep && now - shownAt < intervalMs)) return;
      shownAt = now;
      shownStep = step;
      const size = bytes > 0 ? ` ${Math.round(bytes / 1e6).toLocaleString('en-GB')} MB` : '';
      rewrite(`${step}${size}${share === undefined ? '' : `, ${Math.min(99, Math.floor(share * 100))} %`}`);
    },
    /** Removes the line. */
    clear(): void {
      if (shownStep !== '') rewrite('');
    },
  };
}
