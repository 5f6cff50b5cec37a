/** One text of Prometheus of those of several processes. */

/** What each process reports of the same thing: the largest counts, not the sum. */
const largest =
  /^(?:colophon_build_info|nodejs_version_info|nodejs_eventloop_.*|process_start_time_seconds|process_max_fds|clock_timestamp_seconds|database_(?:size|log_size|disk_free|disk_size)_bytes|provider_certificate_expiry_timestamp_seconds|mail_waiting|webhooks_waiting|backup_last_success_timestamp_seconds)$/;
/** 0 says that something is wrong, which one process alone may have. */
const smallest = /^(?:catalogue_changes_known|database_replica_used|stored_gauges_read)$/;

const together = (name: string, one: number, other: number): number => {
  if (largest.test(name)) return Math.max(one, other);
  return smallest.test(name) ? Math.min(one, other) : one + other;
};

/**
 * Adds up measurements: counters, histograms and amounts; of what each process knows alike, such as the mail that waits, the
 * largest value, or the smallest where 0 is the fault.
 * @param texts in the text format of Prometheus, one of each process.
 */
export function sumMetrics(texts: readonly string[]): string {
  /** By the name of the metric: its comments, and its series with their values. */
  const metrics = new Map<string, { comments: string[]; series: Map<string, number> }>();
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
  return [...metrics.values()]
    .flatMap(({ comments, series }) => [
      ...comments,
      ...[...series].map(([name, value]) => `${name} ${textOf(value)}`),
      '',
    ])
    .join('\n');
}

const textOf = (value: number): string =>
  Number.isFinite(value) ? String(value) : Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
