import { byKey, type Lag, noLag, type SetOperation } from './history.ts';

type Known = Pick<SetOperation, 'node' | 'kind' | 'answeredAt'>;

/**
 * Checks that an element which was added, or seen, is in each later list, once, and that lists have no others.
 * @param mayLag of a list behind an addition by another node, or behind a list of it.
 * @returns a sentence for each anomaly.
 */
export function checkSet(operations: readonly SetOperation[], mayLag: Lag = noLag): string[] {
  return [...byKey(operations)].flatMap(([key, own]) =>
    anomaliesOf(own, mayLag).map((anomaly) => `${key}: ${anomaly}`),
  );
}

function anomaliesOf(operations: readonly SetOperation[], mayLag: Lag): string[] {
  const anomalies: string[] = [];
  const lists = operations
    .filter((operation) => operation.kind === 'list')
    .sort((one, other) => one.invokedAt - other.invokedAt);
  const addsOf = Map.groupBy(
    operations.filter((operation) => operation.kind === 'add'),
    ({ value }) => value,
  );
  const seenIn = new Map<string, typeof lists>();
  for (const list of lists) {
    const elements = new Set(list.value);
    if (elements.size < list.value.length) {
      const doubled = list.value.filter((element, index) => list.value.indexOf(element) !== index);
      anomalies.push(`doubled: ${doubled} at ${list.invokedAt}`);
    }
    for (const element of elements) {
      const seen = seenIn.get(element);
      if (seen) seen.push(list);
      else seenIn.set(element, [list]);
    }
  }
  for (const [element, seen] of seenIn) {
    const adds = addsOf.get(element)?.filter(({ outcome }) => outcome !== 'fail') ?? [];
    const addedAt = Math.min(...adds.map(({ invokedAt }) => invokedAt));
    if (seen.some(({ answeredAt }) => answeredAt < addedAt))
      anomalies.push(`invented: ${element} is listed and was not added by then`);
  }
  for (const element of new Set([...addsOf.keys(), ...seenIn.keys()])) {
    const seen = seenIn.get(element) ?? [];
    const known = firstOfNodes([
      ...(addsOf.get(element)?.filter(({ outcome }) => outcome === 'ok') ?? []),
      ...seen,
    ]);
    const missing = lists.find(
      (list) =>
        !list.value.includes(element) &&
        known.some((change) => change.answeredAt + mayLag(list, change) < list.invokedAt),
    );
    if (!missing) continue;
    const isLost = !lists.some((list) => list.invokedAt > missing.invokedAt && list.value.includes(element));
    const what = isLost ? 'lost' : 'stale';
    anomalies.push(`${what}: ${element} is not in the list of ${missing.node} at ${missing.invokedAt}`);
  }
  return anomalies;
}

/** @returns the earliest operation of each node and kind. */
const firstOfNodes = (changes: readonly Known[]): Known[] =>
  [...Map.groupBy(changes, ({ node, kind }) => `${kind} ${node}`).values()].flatMap((ofNode) =>
    ofNode.reduce((one, other) => (one.answeredAt <= other.answeredAt ? one : other)),
  );
