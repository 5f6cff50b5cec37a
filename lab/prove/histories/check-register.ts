import { byKey, type Lag, type RegisterOperation } from './history.ts';

/**
 * Checks that the answers are those of one number which each operation used at once, at some time between its question and its answer
 * (J. M. Wing and C. Gong, “Testing and verifying concurrent objects”, 1993; each answer is explained as it comes, as G. Lowe does it).
 * An unknown operation takes effect at any later time, or never.
 * @param initial numbers, by key.
 * @returns a sentence for each key with an answer that nothing explains.
 */
export function checkRegister(
  operations: readonly RegisterOperation[],
  initial: ReadonlyMap<string, number>,
): string[] {
  return [...byKey(operations)].flatMap(([key, own]) => {
    const found = firstUnexplained(own, initial.get(key) ?? Number.NaN);
    if (!found) return [];
    const { operation, states } = found;
    const { kind, value, outcome, process, answeredAt } = operation;
    return `${key}: ${kind} ${JSON.stringify(value)} of ${process} at ${answeredAt} (${outcome}), where the number was ${states.join(' or ')}`;
  });
}

/** A way in which all answers so far came about: the number, and which of the pending operations have taken effect. */
type Way = { state: number; done: ReadonlySet<RegisterOperation> };

function firstUnexplained(operations: readonly RegisterOperation[], initial: number) {
  const ids = new Map(operations.map((operation, index) => [operation, index]));
  const events = operations
    .flatMap((operation) => [
      { operation, at: operation.invokedAt, isAnswer: false },
      ...(operation.outcome === 'unknown' ? [] : [{ operation, at: operation.answeredAt, isAnswer: true }]),
    ])
    .sort((one, other) => one.at - other.at || Number(one.isAnswer) - Number(other.isAnswer));
  const pending = new Set<RegisterOperation>();
  let ways: Way[] = [{ state: initial, done: new Set() }];
  for (const { operation, isAnswer } of events) {
    if (!isAnswer) {
      pending.add(operation);
      continue;
    }
    const explained = new Map<string, Way>();
    const tried = new Set<string>();
    const open = [...ways];
    for (let way = open.pop(); way; way = open.pop()) {
      const name = `${way.state} ${[...way.done].map((one) => ids.get(one)).sort()}`;
      if (tried.has(name)) continue;
      tried.add(name);
      if (way.done.has(operation)) {
        const done = new Set(way.done);
        done.delete(operation);
        explained.set(name, { state: way.state, done });
        continue;
      }
      for (const next of pending) {
        const state = way.done.has(next) ? undefined : stateAfter(way.state, next);
        if (state !== undefined) open.push({ state, done: new Set([...way.done, next]) });
      }
    }
    if (explained.size === 0) return { operation, states: [...new Set(ways.map(({ state }) => state))] };
    ways = [...explained.values()];
    pending.delete(operation);
  }
  return undefined;
}

/** @returns the number after an operation; undefined if it cannot have had its outcome. */
function stateAfter(state: number, { kind, value, outcome }: RegisterOperation): number | undefined {
  if (kind === 'read') return state === value ? state : undefined;
  if (outcome === 'fail') return state === value.from ? undefined : state;
  return state === value.from ? value.to : undefined;
}

/**
 * Checks that reads of caches and copies of a number show none that was replaced before, and none that comes later. Each number is
 * written once.
 * @param mayLag of a read behind a replacement by another node.
 * @returns a sentence for each anomaly.
 */
export function checkReads(
  operations: readonly RegisterOperation[],
  reads: readonly RegisterOperation[],
  initial: ReadonlyMap<string, number>,
  mayLag: Lag,
): string[] {
  const readsOf = byKey(reads);
  return [...byKey(operations)].flatMap(([key, own]) => {
    const replaced = own.filter((operation) => operation.kind === 'replace' && operation.outcome !== 'fail');
    const places = placesOf(replaced, initial.get(key) ?? Number.NaN);
    const placeOf = (one: RegisterOperation) => places.get(one.kind === 'replace' ? one.value.to : one.value);
    return (readsOf.get(key) ?? []).flatMap((read) => {
      const place = placeOf(read);
      const where = `${key}: ${read.value} from ${read.node} at ${read.invokedAt}`;
      if (place === undefined) return [`${where}, which was never its number`];
      const writer = replaced.find((one) => placeOf(one) === place);
      if (writer && writer.invokedAt > read.answeredAt) return [`${where}, before it was written`];
      const newer = replaced.find(
        (one) =>
          one.outcome === 'ok' &&
          one.answeredAt + mayLag(read, one) < read.invokedAt &&
          (placeOf(one) ?? 0) > place,
      );
      return newer ? [`${where}, after ${newer.node} had replaced it at ${newer.answeredAt}`] : [];
    });
  });
}

/** @returns where each number comes in the chain of replacements. */
function placesOf(replaced: readonly RegisterOperation[], initial: number): Map<number, number> {
  const places = new Map([[initial, 0]]);
  const next = Map.groupBy(replaced, ({ kind, value }) => (kind === 'replace' ? value.from : Number.NaN));
  const open = [initial];
  for (let from = open.pop(); from !== undefined; from = open.pop()) {
    for (const { kind, value } of next.get(from) ?? []) {
      if (kind !== 'replace' || places.has(value.to)) continue;
      places.set(value.to, (places.get(from) ?? 0) + 1);
      open.push(value.to);
    }
  }
  return places;
}
