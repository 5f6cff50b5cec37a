import { byKey, type CopiesOperation } from './history.ts';

/**
 * Checks that there are never fewer copies than none, and never more or fewer than those that came and were not bought; a sold-out
 * answer is a count of 0.
 * @param stored the orders that there are in the end, and when that was.
 * @returns a sentence for each anomaly.
 */
export const checkCopies = (operations: readonly CopiesOperation[], stored: Stored): string[] =>
  [...byKey(operations)].flatMap(([key, own]) =>
    anomaliesOf(own, stored).map((anomaly) => `${key}: ${anomaly}`),
  );

type Stored = { orders: ReadonlySet<string>; at: number };

/** A change of the number of copies. It happened between these times. */
type Change = { by: number; from: number; until: number };

function anomaliesOf(operations: readonly CopiesOperation[], stored: Stored): string[] {
  const anomalies: string[] = [];
  const changes: Change[] = operations.flatMap(({ kind, value, invokedAt, answeredAt, outcome }) =>
    kind === 'restock' && outcome !== 'fail'
      ? { by: value, from: invokedAt, until: outcome === 'ok' ? answeredAt : Number.POSITIVE_INFINITY }
      : [],
  );
  const triesOf = Map.groupBy(
    operations.filter((operation) => operation.kind === 'buy'),
    ({ value }) => value,
  );
  for (const [order, tries] of triesOf) {
    const answers = tries.filter(({ outcome }) => outcome === 'ok');
    if (answers.length > 0 && !stored.orders.has(order)) anomalies.push(`lost: the order ${order}`);
    if (answers.length === 0 && !stored.orders.has(order)) continue;
    changes.push({
      by: -1,
      from: Math.min(...tries.map(({ invokedAt }) => invokedAt)),
      until: Math.min(stored.at, ...answers.map(({ answeredAt }) => answeredAt)),
    });
  }
  for (const { kind, value, invokedAt, answeredAt, node } of operations) {
    if (kind !== 'count') continue;
    const [certain, possible] = [
      changes.filter(({ until }) => until < invokedAt),
      changes.filter(({ from, until }) => until >= invokedAt && from <= answeredAt),
    ].map((some) => ({
      come: sum(some.filter(({ by }) => by > 0)),
      gone: -sum(some.filter(({ by }) => by < 0)),
    }));
    const sure = (certain?.come ?? 0) - (certain?.gone ?? 0);
    const [least, most] = [Math.max(0, sure - (possible?.gone ?? 0)), sure + (possible?.come ?? 0)];
    if (value < least || value > most)
      anomalies.push(`${value} copies on ${node} at ${invokedAt}, where there were ${least} to ${most}`);
  }
  return anomalies;
}

const sum = (changes: readonly Change[]): number => changes.reduce((total, { by }) => total + by, 0);

/**
 * Checks that each order has a receipt.
 * @param receipts the order of each that was sent.
 * @param mostDoubled how many may have come again.
 * @returns a sentence for each anomaly.
 */
export function checkReceipts(
  orders: readonly string[],
  receipts: readonly string[],
  mostDoubled: number,
): string[] {
  const received = new Set(receipts);
  const known = new Set(orders);
  const doubled = receipts.length - received.size;
  return [
    ...orders.filter((order) => !received.has(order)).map((order) => `no receipt: ${order}`),
    ...[...received].filter((order) => !known.has(order)).map((order) => `a receipt of no order: ${order}`),
    ...(doubled > mostDoubled ? [`${doubled} receipts came again, at most ${mostDoubled} may`] : []),
  ];
}
