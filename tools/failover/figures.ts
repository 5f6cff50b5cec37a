/** What a run comes to. */

import type { Ledger } from './buyers.ts';
import type { OrderRow } from './reading-back.ts';

export type Found = {
  throughApi: readonly string[];
  /** By the name of the server that was asked. */
  inDatabase: ReadonlyMap<string, readonly OrderRow[]>;
};

export type OrderFigures = {
  acknowledged: number;
  /** Of those that were acknowledged, how many are there: through the API and on every server. */
  found: number;
  lost: number;
  doubled: number;
  /** Sent, and never answered with 201 or a refusal. */
  open: number;
};

/**
 * Lost: acknowledged, and missing from the API or from any server. Doubled: a key with a second row, a row whose key
 * nobody sent, or an id that a list names twice.
 */
export function countOrders(ledger: Ledger, { throughApi, inDatabase }: Found): OrderFigures {
  const servers = [...inDatabase.values()];
  const places = [new Set(throughApi), ...servers.map((rows) => new Set(rows.map(({ id }) => id)))];
  const acknowledgedIds = [...ledger.acknowledged.values()];
  const found = acknowledgedIds.filter((id) => places.every((place) => place.has(id))).length;
  return {
    acknowledged: acknowledgedIds.length,
    found,
    lost: acknowledgedIds.length - found,
    doubled: Math.max(
      throughApi.length - new Set(throughApi).size,
      ...servers.map((rows) => countDoubled(rows, ledger.sent)),
    ),
    open: ledger.sent.size - ledger.acknowledged.size - ledger.refusals.length,
  };
}

function countDoubled(rows: readonly OrderRow[], sent: ReadonlySet<string>): number {
  const keys = new Set(rows.flatMap(({ key }) => (key !== null && sent.has(key) ? [key] : [])));
  return rows.length - keys.size;
}

/** The longest time without an acknowledgement, of those that lie between two moments or reach into that time. */
export function longestGapMs(acknowledgedAtMs: readonly number[], fromMs: number, toMs: number): number {
  const before = acknowledgedAtMs.findLast((at) => at <= fromMs) ?? fromMs;
  const moments = [before, ...acknowledgedAtMs.filter((at) => at > fromMs && at < toMs), toMs];
  return Math.max(...moments.slice(1).map((at, index) => at - (moments[index] ?? at)));
}

/** Whether orders have been acknowledged in each of the last seconds. */
export const isSteady = (acknowledgedAtMs: readonly number[], nowMs: number, seconds: number): boolean =>
  Array.from({ length: seconds }, (_, index) => nowMs - 1000 * (index + 1)).every((second) =>
    acknowledgedAtMs.some((at) => at >= second && at < second + 1000),
  );

export function table(rows: readonly (readonly [name: string, value: string | number])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n');
}
