/** Sums the metrics of several processes, for one scrape by Prometheus. */

/** Metrics that each process reports about the same thing: the largest value counts, not the sum. */
const largest =
  /^(?:colophon_build_info|nodejs_version_info|nodejs_eventloop_.*|process_start_time_seconds|process_max_fds|clock_timestamp_seconds|database_(?:size|log_size|disk_free|disk_size)_bytes|provider_certificate_expiry_timestamp_seconds|mail_waiting|webhooks_waiting|backup_last_success_timestamp_seconds)$/;
/** Metrics where 0 is a fault: the smallest value counts, because one process alone may have the fault. */
const smallest = /^(?:catalogue_changes_known|database_replica_used|stored_gauges_read)$/;

const together = (name: string, one: number, other: number): number => {
  if (largest.test(name)) return Math.max(one, other);
  return smallest.test(name) ? Math.min(one, other) : one + other;
};

/** The metrics by name: the comments of each, and its series with their values. */
type Metrics = Map<string, { comments: string[]; series: Map<string, number> }>;

/**
 * Adds up counters, histograms and amounts. Metrics that each process reports about the same thing, such as the mail that waits, are not
 * added up: see `largest` and `smallest`.
 * @param texts in the text format of Prometheus, one of each process.
 */
export const sumMetrics = (texts: readonly string[]): string => write(read(texts));

/** @returns the metrics that only grow: what a process has counted stays in the sums after its end, which would fall otherwise. */
export function countersIn(text: string): string {
  const metrics = read([text]);
  for (const [name, { comments }] of metrics) {
    if (!comments.some((comment) => /^# TYPE \S+ (?:counter|histogram)$/.test(comment))) metrics.delete(name);
  }
  return write(metrics);
}

function read(texts: readonly string[]): Metrics {
  const metrics: Metrics = new Map();
  for (const text of texts) {
    let metric: { comments: string[]; series: Map<string, number> } | undefined;
    let name = '';
    for (const line of text.split('\n')) {
      const [, kind, commented = ''] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? [];
      if (kind !== undefined) {
        name = commented;
        metric = metrics.get(name) ?? { comments: [], series: new Map() };
        metrics.set(name, metric);
        if (!metric.comments.some((comment) => comment.startsWith(`# ${kind} `))) metric.comments.push(line);
        continue;
      }
      const end = line.lastIndexOf(' ');
      if (end < 0 || !metric) continue;
      const [series, value] = [line.slice(0, end), Number(line.slice(end + 1))];
      const before = metric.series.get(series);
      metric.series.set(series, before === undefined ? value : together(name, before, value));
    }
  }
  return metrics;
}

const write = (metrics: Metrics): string =>
  [...metrics.values()]
    .flatMap(({ comments, series }) => [
      ...comments,
      ...[...series].map(([name, value]) => `${name} ${textOf(value)}`),
      '',
    ])
    .join('\n');

const textOf = (value: number): string =>
  Number.isFinite(value) ? String(value) : Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
