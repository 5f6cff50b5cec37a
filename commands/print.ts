/** How commands write what they found. */

import type { Io } from './command.ts';

/** Titles of older versions may have control characters, and a terminal would obey them. */
export const printable = (text: string): string => text.replace(/\p{Cc}/gu, '\ufffd');

export const grouped = (count: number): string => count.toLocaleString('en-GB');

export const lineOf = (columns: readonly string[]): string => `${columns.map(printable).join('  ')}\n`;

export const printJson = ({ stdout }: Pick<Io, 'stdout'>, value: unknown): void => {
  stdout.write(`${JSON.stringify(value)}\n`);
};

/** The progress of a long command: one line on a terminal, which is rewritten; nothing elsewhere. */
export function openMeter({ stderr }: Io) {
  let [shownAt, shownStep] = [0, ''];
  const rewrite = (text: string) => stderr.write(`\r\u001b[K${text}`);
  return {
    /** Shows a step of the work five times a second, and another one at once. */
    show(step: string, textOf: () => string): void {
      const now = performance.now();
      if (!stderr.isTTY || (step === shownStep && now - shownAt < 200)) return;
      [shownAt, shownStep] = [now, step];
      rewrite(textOf());
    },
    clear(): void {
      if (shownAt > 0) rewrite('');
    },
  };
}
