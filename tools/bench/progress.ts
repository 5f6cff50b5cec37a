/** How far a long task has come: one line that is drawn over on a terminal, plain lines elsewhere. */

export type Progress = {
  begin(what: string, count: number): void;
  at(done: number): void;
  end(): void;
  say(what: string): void;
  /** Says how many rows were written, in what time. */
  total(): void;
};

const barLength = 30;
const terminalEveryMs = 100;
const linesEveryMs = 5_000;

export function openProgress(out: NodeJS.WriteStream): Progress {
  const opened = performance.now();
  let rows = 0;
  let current = { what: '', count: 0, began: 0, shown: 0 };

  const line = (done: number) => {
    const seconds = (performance.now() - current.began) / 1000;
    const share = current.count === 0 ? 1 : done / current.count;
    const bar = out.isTTY ? `${'█'.repeat(share * barLength).padEnd(barLength, '░')} ` : '';
    const rate = seconds > 0 ? Math.round(done / seconds) : 0;
    return `${current.what.padEnd(10)} ${bar}${grouped(done)} of ${grouped(current.count)}, ${grouped(rate)} rows/s`;
  };
  const redraw = (text: string) => out.write(out.isTTY ? `\r\u001b[K${text}` : `${text}\n`);

  return {
    begin(what, count) {
      const now = performance.now();
      current = { what, count, began: now, shown: now };
    },
    at(done) {
      const now = performance.now();
      if (now - current.shown < (out.isTTY ? terminalEveryMs : linesEveryMs)) return;
      current.shown = now;
      redraw(line(done));
    },
    end() {
      rows += current.count;
      redraw(line(current.count));
      if (out.isTTY) out.write('\n');
    },
    say: (what) => out.write(`${what}\n`),
    total() {
      const seconds = (performance.now() - opened) / 1000;
      out.write(
        `${grouped(rows)} rows in ${seconds.toFixed(1)} s, ${grouped(Math.round(rows / seconds))} rows/s with the indexes\n`,
      );
    },
  };
}

export const grouped = (count: number): string => count.toLocaleString('en-GB');
