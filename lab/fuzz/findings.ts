/** The findings of a run, and the counts for its report. */

/** `request`: enough of it to send it again. */
export type Finding = { fault: string; request: string };

export type Findings = {
  /** Counts a response. @param status or the reason why there is none. */
  count(operation: string, status: number | string): void;
  /** Remembers how long a response took. */
  time(operation: string, ms: number): void;
  /** Records a fault. Of each kind only the first requests are kept. */
  add(fault: string, request: unknown): void;
  /** The number of faults. */
  faults(): number;
  /** The report, a text of several lines. */
  report(): string;
};

const keptPerFault = 3;
const keptSlowest = 5;

export function collectFindings(): Findings {
  const counts = new Map<string, Map<number | string, number>>();
  const found = new Map<string, { count: number; requests: string[] }>();
  let slowest: { operation: string; ms: number }[] = [];
  let total = 0;

  return {
    count(operation, status) {
      const statuses = counts.get(operation) ?? new Map();
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      counts.set(operation, statuses);
    },
    time(operation, ms) {
      if (ms <= (slowest.at(-1)?.ms ?? 0) && slowest.length === keptSlowest) return;
      slowest = [...slowest, { operation, ms }].sort((one, other) => other.ms - one.ms).slice(0, keptSlowest);
    },
    add(fault, request) {
      total += 1;
      const entry = found.get(fault) ?? { count: 0, requests: [] };
      entry.count += 1;
      if (entry.requests.length < keptPerFault)
        entry.requests.push(
          JSON.stringify(request)
            .replace(/(.)\1{30,}/g, '$1…')
            .slice(0, 500),
        );
      found.set(fault, entry);
    },
    faults: () => total,
    report() {
      const width = Math.max(...[...counts.keys()].map((operation) => operation.length));
      const lines = [...counts].sort().map(([operation, statuses]) => {
        const texts = [...statuses].sort().map(([status, count]) => `${status} × ${count}`);
        return `${operation.padEnd(width)}  ${texts.join(', ')}`;
      });
      const times = slowest.map(({ operation, ms }) => `${ms.toFixed(0).padStart(6)} ms  ${operation}`);
      const faults = [...found].map(
        ([fault, { count, requests }]) =>
          `${count} × ${fault}\n${requests.map((one) => `    ${one}\n`).join('')}`,
      );
      return [...lines, '', 'Slowest:', ...times, '', ...faults].join('\n');
    },
  };
}
