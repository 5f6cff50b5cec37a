/** Progress of a long task: one line that is rewritten on a terminal, separate lines elsewhere. */

export type Progress = {
  /** Begins a step of `count` rows. */
  begin(what: string, count: number): void;
  /** @param done rows of the current step. */
  update(done: number): void;
  end(): void;
  /** Prints a line. */
  print(line: string): void;
  /** Prints the number of all rows and the time since the start. */
  printTotal(): void;
};

const barLength = 30;
const terminalIntervalMs = 100;
const lineIntervalMs = 5_000;

/** @param out gets the progress. The total of rows and time begins with this call. */
export function openProgress(out: NodeJS.WriteStream): Progress {
  const openedAt = performance.now();
  let rows = 0;
  let current = { what: '', count: 0, startedAt: 0, shownAt: 0 };

  const status = (done: number) => {
    const seconds = (performance.now() - current.startedAt) / 1000;
    const share = current.count === 0 ? 1 : done / current.count;
    const bar = out.isTTY ? `${'█'.repeat(share * barLength).padEnd(barLength, '░')} ` : '';
    const rate = seconds > 0 ? Math.round(done / seconds) : 0;
    return `${current.what.padEnd(10)} ${bar}${grouped(done)} of ${grouped(current.count)}, ${grouped(rate)} rows/s`;
  };
  const redraw = (text: string) => out.write(out.isTTY ? `\r\u001b[K${text}` : `${text}\n`);

  return {
    begin(what, count) {
      const now = performance.now();
      current = { what, count, startedAt: now, shownAt: now };
    },
    update(done) {
      const now = performance.now();
      if (now - current.shownAt < (out.isTTY ? terminalIntervalMs : lineIntervalMs)) return;
      current.shownAt = now;
      redraw(status(done));
    },
    end() {
      rows += current.count;
      redraw(status(current.count));
      if (out.isTTY) out.write('\n');
    },
    print: (line) => out.write(`${line}\n`),
    printTotal() {
      const seconds = (performance.now() - openedAt) / 1000;
      out.write(
        `${grouped(rows)} rows in ${seconds.toFixed(1)} s, ${grouped(Math.round(rows / seconds))} rows/s with the indexes\n`,
      );
    },
  };
}

/** @returns the number with commas, such as `1,000,000`. */
export const grouped = (count: number): string => count.toLocaleString('en-GB');
