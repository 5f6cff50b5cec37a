/** The figures of a run. */

import type { PurchaseLog } from './buyers.ts';
import type { OrderRow } from './reading-back.ts';

export type StoredOrders = {
  /** Ids of the orders that the API lists. */
  throughApi: readonly string[];
  /** Rows of orders, by the name of the PostgreSQL server. */
  inDatabase: ReadonlyMap<string, readonly OrderRow[]>;
};

export type OrderFigures = {
  acknowledged: number;
  /** Number of acknowledged orders that the API and every server have. */
  found: number;
  lost: number;
  doubled: number;
  /** Orders that were sent, and neither acknowledged nor rejected. */
  unanswered: number;
};

/**
 * Lost: acknowledged, and missing from the API or from a server. Doubled: a second row of a key, a row whose key was not
 * sent, or an id that is listed twice.
 */
export function countOrders(log: PurchaseLog, { throughApi, inDatabase }: StoredOrders): OrderFigures {
  const servers = [...inDatabase.values()];
  const idSets = [new Set(throughApi), ...servers.map((rows) => new Set(rows.map(({ id }) => id)))];
  const acknowledgedIds = [...log.acknowledged.values()];
  const found = acknowledgedIds.filter((id) => idSets.every((ids) => ids.has(id))).length;
  return {
    acknowledged: acknowledgedIds.length,
    found,
    lost: acknowledgedIds.length - found,
    doubled: Math.max(
      throughApi.length - new Set(throughApi).size,
      ...servers.map((rows) => countDoubled(rows, log.sent)),
    ),
    unanswered: log.sent.size - log.acknowledged.size - log.rejections.length,
  };
}

function countDoubled(rows: readonly OrderRow[], sent: ReadonlySet<string>): number {
  const keys = new Set(rows.flatMap(({ key }) => (key !== null && sent.has(key) ? [key] : [])));
  return rows.length - keys.size;
}

/** @returns the longest time between two acknowledgements of which at least the second is in the interval, or its end. */
export function longestGapMs(acknowledgedAtMs: readonly number[], fromMs: number, toMs: number): number {
  const last = acknowledgedAtMs.findLast((time) => time <= fromMs) ?? fromMs;
  const times = [last, ...acknowledgedAtMs.filter((time) => time > fromMs && time < toMs), toMs];
  return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? time)));
}

/** True: orders were acknowledged in each of the last seconds. */
export const isSteady = (acknowledgedAtMs: readonly number[], nowMs: number, seconds: number): boolean =>
  Array.from({ length: seconds }, (_, index) => nowMs - 1000 * (index + 1)).every((second) =>
    acknowledgedAtMs.some((time) => time >= second && time < second + 1000),
  );

/** @returns the rows as lines of two columns. */
export function table(rows: readonly (readonly [name: string, value: string | number])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n');
}
