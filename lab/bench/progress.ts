/** Progress of a long task, in lines. */

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

const lineIntervalMs = 5_000;

/** @param out gets the progress. The total of rows and time begins with this call. */
export function openProgress(out: NodeJS.WriteStream): Progress {
  const openedAt = performance.now();
  let rows = 0;
  let current = { what: '', count: 0, shownAt: 0 };
  const print = (line: string) => out.write(`${line}\n`);
  const show = (done: number) => print(`${current.what} ${grouped(done)} of ${grouped(current.count)}`);
  return {
    begin(what, count) {
      current = { what, count, shownAt: performance.now() };
    },
    update(done) {
      if (performance.now() - current.shownAt < lineIntervalMs) return;
      current.shownAt = performance.now();
      show(done);
    },
    end() {
      rows += current.count;
      show(current.count);
    },
    print,
    printTotal() {
      const seconds = (performance.now() - openedAt) / 1000;
      print(
        `${grouped(rows)} rows in ${seconds.toFixed(1)} s, ${grouped(Math.round(rows / seconds))} rows/s`,
      );
    },
  };
}

/** @returns the number with commas, such as `1,000,000`. */
export const grouped = (count: number): string => count.toLocaleString('en-GB');
