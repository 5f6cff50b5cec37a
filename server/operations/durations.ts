/**
 * How long something took, as a Prometheus histogram. prom-client's histogram hashes the labels of each observation, which
 * takes a tenth of the time of a response from the cache.
 */

/** Each value of a label is a time series: the pattern of a route, never an address. */
type Labels = Readonly<Record<string, string | number>>;

/** A histogram of durations. */
export type Durations = {
  /** @returns a function that records a duration with these labels, in seconds. Keep it where the labels stay the same. */
  recorder(labels: Labels): (seconds: number) => void;
  /** @returns all series in the text format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/). */
  text(): string;
};

/** Upper bounds in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** `counts`: of the durations in each bucket alone, the last of which has no upper bound. `sum`: in seconds. */
type Series = { labels: string; counts: number[]; sum: number; record(seconds: number): void };

/** @returns a histogram without observations. */
export function openDurations(name: string, help: string): Durations {
  const allSeries = new Map<string, Series>();

  const add = (labels: string): Series => {
    const series: Series = {
      labels,
      counts: bounds.map(() => 0).concat(0),
      sum: 0,
      record(seconds) {
        let bucket = 0;
        while (seconds > (bounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
        series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
        series.sum += seconds;
      },
    };
    allSeries.set(labels, series);
    return series;
  };

  return {
    recorder(labels) {
      const text = Object.entries(labels)
        .map(([label, value]) => `${label}="${value}"`)
        .join(',');
      return (allSeries.get(text) ?? add(text)).record;
    },

    text() {
      const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`];
      for (const { labels, counts, sum } of allSeries.values()) {
        let count = 0;
        for (const [bucket, bound] of [...bounds, '+Inf'].entries()) {
          count += counts[bucket] ?? 0;
          lines.push(`${name}_bucket{le="${bound}",${labels}} ${count}`);
        }
        lines.push(`${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${count}`);
      }
      return `${lines.join('\n')}\n`;
    },
  };
}
