/**
 * Queries of the hottest paths. Each is compiled once per engine, because building it with Kysely costs several times
 * what SQLite takes to run it (docs/decisions/0004). Simultaneous calls share a batch (docs/decisions/0018): the items
 * that arrive while an earlier batch is running form the next one, which is one statement, one round trip and, for
 * writes, one commit and its fsync (group commit). A lone call is sent at the end of the event loop's turn.
 */

import type { Compilable, CompiledQuery } from 'kysely';
import { type Engine, engineOf, type ItemColumns, type ItemOf, type ItemTable } from './engine.ts';
import type { Db } from './tables.ts';
import { BusyError, codeOf, isConflict, isUnavailable } from './unavailable.ts';

/** How many batches of a query may run at once. A second one would only make both smaller, and each costs a statement. */
const maxRunning = 1;
/**
 * A batch that runs for longer waits for a lock or a lost connection, and others are sent meanwhile, so that it delays
 * only its own items; at most so many.
 */
const stuck = { afterMs: 500, max: 4 };
/**
 * Most clients whose calls a batch has served call again at once. The next batch waits for them, for a share of the time that the quickest
 * of the last few took: on a slow disk 32 buyers share a commit, of which otherwise one half would always wait for the other's. A timer
 * takes a millisecond, so after a quick batch nothing waits, nor after a slow one among quick ones.
 */
const wait = { share: 1 / 4, minMs: 1, maxMs: 25, batches: 3 };
/**
 * A database beside this process gets half of so many calls at a time: while it works on one half, this process serves the other. If
 * it got all of them each would wait for the other.
 */
const minHalved = 8;
/** Limits how long a single statement takes. */
const maxItems = 100;
/** How often the database is sent an item by itself that other transactions are in the way of. */
const maxAttempts = 3;
/** With more calls than this waiting, further ones are rejected: the database has stopped responding. */
const maxPending = 2_000;

/** A placeholder in the parameters of a compiled query, replaced by the items of each run. To Kysely it is a value. */
const itemsPlaceholder = Symbol('items') as unknown as string;

/** One query for many items. */
type BatchedQuery<Columns extends ItemColumns, Row> = {
  /** The type of each field of an item, in SQL. */
  columns: Columns;
  /** Builds the query for all items, which are the rows of the table `items`. */
  build(db: Db, items: ItemTable<Columns>): Compilable<Row>;
  /** The field of an item whose value is also in its row. */
  key: keyof Columns & keyof Row & string;
};

/**
 * @returns a function that runs the query for one item and returns its row, or undefined if there is none. It throws
 * what the database throws, and BusyError at once while too many calls wait. When the database rejects a batch, each
 * item is sent again by itself, so that an invalid one does not fail the others; up to three times while it conflicts with another
 * transaction. When the connection is lost, nothing
 * is sent again: the batch may have been committed.
 */
export function batchedQuery<const Columns extends ItemColumns, Row>({
  columns,
  build,
  key,
}: BatchedQuery<Columns, Row>): (db: Db, item: ItemOf<Columns>) => Promise<Row | undefined> {
  type Item = ItemOf<Columns>;
  const compiled = new Map<Engine, CompiledQuery<Row>>();
  const compile = (db: Db): CompiledQuery<Row> => {
    const engine = engineOf(db);
    const query = compiled.get(engine) ?? build(db, engine.itemTable(itemsPlaceholder, columns)).compile();
    compiled.set(engine, query);
    return query;
  };
  return batchedWork(async (db, items: readonly Item[]): Promise<(Row | undefined)[]> => {
    const query = compile(db);
    const json = JSON.stringify(items);
    const parameters = query.parameters.map((value) => (value === itemsPlaceholder ? json : value));
    const { rows } = await db.executeQuery<Row>({ ...query, parameters });
    const byKey = new Map<unknown, Row>(rows.map((row) => [row[key], row]));
    return items.map((item) => byKey.get(item[key]));
  });
}

/**
 * @param run does the work of the items in one statement or transaction, and returns a result for each, in their order.
 * @returns a function that does it for one item. Simultaneous calls share a batch, which fails as that of {@link batchedQuery}.
 */
export function batchedWork<Item extends Readonly<Record<string, unknown>>, Result>(
  run: (db: Db, items: readonly Item[]) => Promise<readonly (Result | undefined)[]>,
): (db: Db, item: Item) => Promise<Result | undefined> {
  const callsByDb = new WeakMap<Db, (item: Item) => Promise<Result | undefined>>();
  return (db, item) => {
    let call = callsByDb.get(db);
    if (!call) {
      call = batched((items) => run(db, items), { isHalved: !engineOf(db).writesInTurn });
      callsByDb.set(db, call);
    }
    return call(item);
  };
}

/** The database itself rejected a statement: nothing of it was carried out. */
function isRejection(error: unknown): boolean {
  if (isConflict(error)) return true;
  if (!(error instanceof Error) || isUnavailable(error)) return false;
  const code = codeOf(error);
  return code === 'ERR_SQLITE_ERROR' || (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code));
}

/** Throws the error with which PostgreSQL rejects such a text, before it can fail the batch. */
function rejectInvalidText(item: Readonly<Record<string, unknown>>): void {
  for (const value of Object.values(item)) {
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) {
      throw Object.assign(new Error('a text contains a NUL or an unpaired surrogate'), { code: '22021' });
    }
  }
}

type PendingCall<Item, Result> = {
  item: Item;
  resolve(result: Result | undefined): void;
  reject(error: unknown): void;
};

function batched<Item extends Readonly<Record<string, unknown>>, Result>(
  runBatch: (items: readonly Item[]) => Promise<readonly (Result | undefined)[]>,
  { isHalved }: { isHalved: boolean },
): (item: Item) => Promise<Result | undefined> {
  const pending: PendingCall<Item, Result>[] = [];
  let isScheduled = false;
  let running = 0;
  let stuckCount = 0;
  /** The next batch waits until so many calls are there, or for the timer. */
  let awaited = 0;
  let waitTimer: NodeJS.Timeout | undefined;
  /** How long the last batches took. */
  const lastMs: number[] = [];

  /** @returns how long the next batch may wait; 0: not at all. */
  const findWaitMs = (): number => {
    const quickestMs = lastMs.length === wait.batches ? Math.min(...lastMs) : 0;
    const waitMs = Math.min(wait.maxMs, quickestMs * wait.share);
    return waitMs < wait.minMs ? 0 : waitMs;
  };
  const awaitCalls = (count: number) => {
    clearTimeout(waitTimer);
    const waitMs = findWaitMs();
    awaited = waitMs === 0 ? 0 : Math.min(count, maxItems);
    if (awaited === 0) return;
    waitTimer = setTimeout(() => {
      awaited = 0;
      scheduleSending();
    }, waitMs);
  };
  /** @param returning how many callers go on now and may call again soon: those of a batch that has ended in this moment. */
  const sendBatches = (returning: number) => {
    isScheduled = false;
    while (pending.length > 0 && running < maxRunning) {
      const all = pending.length + returning;
      const takesHalf = isHalved && findWaitMs() === 0 && all >= minHalved;
      const batch = pending.splice(0, Math.min(maxItems, takesHalf ? Math.ceil(all / 2) : pending.length));
      running += 1;
      const sentAt = performance.now();
      let isStuck = false;
      // Repeated: a batch for which there was no room among the stuck ones may get that of another.
      const timer = setInterval(() => {
        if (stuckCount === stuck.max) return;
        clearInterval(timer);
        isStuck = true;
        stuckCount += 1;
        running -= 1;
        scheduleSending();
      }, stuck.afterMs);
      runCalls(batch).then((settle) => {
        clearInterval(timer);
        if (isStuck) {
          stuckCount -= 1;
        } else {
          running -= 1;
          if (lastMs.push(performance.now() - sentAt) > wait.batches) lastMs.shift();
          awaitCalls(batch.length + pending.length);
        }
        // Before the callers go on: the database works on the next batch while their responses are written.
        if (isDue()) sendBatches(batch.length);
        settle();
      });
    }
  };
  const isDue = () => !isScheduled && pending.length > 0 && pending.length >= awaited && running < maxRunning;
  const scheduleSending = () => {
    if (!isDue()) return;
    isScheduled = true;
    setImmediate(sendBatches, 0);
  };
  /** @returns a function that gives the calls their results or errors, unless they were sent one by one and have them. */
  const runCalls = async (batch: readonly PendingCall<Item, Result>[], attempt = 1): Promise<() => void> => {
    try {
      const results = await runBatch(batch.map(({ item }) => item));
      return () => {
        for (const [index, { resolve }] of batch.entries()) resolve(results[index]);
      };
    } catch (error) {
      if (batch.length > 1 && isRejection(error)) {
        for (const call of batch) (await runCalls([call]))();
        return () => {};
      }
      if (batch.length === 1 && isConflict(error) && attempt < maxAttempts)
        return await runCalls(batch, attempt + 1);
      // Calls that wait behind a lost database would fail in the same way, long after their clients have gone. While only
      // some batches are stuck, the next one is sent in any case.
      const isFlowing = stuckCount > 0 && stuckCount < stuck.max;
      const isLost = isUnavailable(error) && !isConflict(error) && !isFlowing;
      const failed = isLost ? [...batch, ...pending.splice(0)] : batch;
      return () => {
        for (const { reject } of failed) reject(error);
      };
    }
  };

  return (item) =>
    new Promise((resolve, reject) => {
      rejectInvalidText(item);
      if (pending.length >= maxPending) {
        reject(new BusyError('too many calls wait for the database'));
        return;
      }
      pending.push({ item, resolve, reject });
      scheduleSending();
    });
}
