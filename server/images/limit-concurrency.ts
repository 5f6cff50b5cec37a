/** @returns `run`, which runs at most `size` tasks at a time, and the rest in the order of the calls; and the number of running tasks. */
export function limitConcurrency(size: number) {
  const waiting: (() => void)[] = [];
  let inUse = 0;
  return {
    async run<Result>(work: () => Promise<Result>): Promise<Result> {
      if (inUse < size) inUse += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return await work().finally(() => {
        // The next waiting task takes the place over.
        const next = waiting.shift();
        if (next) next();
        else inUse -= 1;
      });
    },
    usage: () => ({ inUse, waiting: waiting.length }),
  };
}
