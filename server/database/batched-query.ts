/**
 * Queries of the hottest paths. Each is compiled once an engine, since Kysely's building costs several times what SQLite
 * takes to run it (docs/decisions/0004), and it answers many callers at once (docs/decisions/0018): what is asked for while
 * an earlier batch is under way goes together in the next, in one statement, one round trip and, for writes, one commit
 * and its fsync (group commit). Who comes alone waits for nobody: a batch leaves at the end of the event loop's turn in
 * which it began.
 */

import type { Compilable, CompiledQuery } from 'kysely';
import { type ItemColumns, type ItemTable, itemTable } from './engine-differences.ts';
import type { Db } from './tables.ts';
import { isUnavailable } from './unavailable.ts';

/** How many statements of one kind may be under way: while one waits for its commit, the next is already on its way. */
const atOnce = 2;
/** So that no statement becomes a burden of its own. */
const mostItems = 100;

/** Stands among the parameters of a compiled query for the items of each run: to Kysely a value like any other. */
const itemsSlot = Symbol('items') as unknown as string;

export type BatchedQuery<Item, Row> = {
  columns: ItemColumns<Item>;
  /** Builds the one query of all items, of which `items` is a table. */
  build(db: Db, items: ItemTable<Item>): Compilable<Row>;
  /** The column that tells which row answers which item. */
  key: keyof Item & keyof Row & string;
};

/**
 * @returns asks for one item, and answers its row. A batch that the database refuses is asked for again item by item, so
 * that one that cannot be carried out does not fail the others; not so when the database was lost, since then nobody can
 * tell what has been carried out. It throws what the database throws.
 */
export function batchedQuery<Item extends Readonly<Record<string, string | number | null>>, Row>({
  columns,
  build,
  key,
}: BatchedQuery<Item, Row>): (db: Db, item: Item) => Promise<Row | undefined> {
  const compiled = new Map<unknown, CompiledQuery<Row>>();
  const compile = (db: Db): CompiledQuery<Row> => {
    const engine = db.getExecutor().adapter.constructor;
    const query = compiled.get(engine) ?? build(db, itemTable(db, itemsSlot, columns)).compile();
    compiled.set(engine, query);
    return query;
  };
  const runTogether = async (db: Db, items: readonly Item[]): Promise<(Row | undefined)[]> => {
    const query = compile(db);
    const json = JSON.stringify(items);
    const parameters = query.parameters.map((value) => (value === itemsSlot ? json : value));
    const { rows } = await db.executeQuery<Row>({ ...query, parameters });
    const byKey = new Map<unknown, Row>(rows.map((row) => [row[key], row]));
    return items.map((item) => byKey.get(item[key]));
  };
  const callersOf = new WeakMap<Db, (item: Item) => Promise<Row | undefined>>();

  return async (db, item) => {
    refuseText(item);
    let call = callersOf.get(db);
    if (!call) {
      call = batched((items) => runTogether(db, items));
      callersOf.set(db, call);
    }
    return call(item);
  };
}

/** Whether the database itself has refused a statement, so that nothing of it was carried out. */
function isOfDatabase(error: unknown): boolean {
  if (!(error instanceof Error) || isUnavailable(error)) return false;
  const { code } = error as { code?: unknown };
  return code === 'ERR_SQLITE_ERROR' || (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code));
}

/** As PostgreSQL refuses it, before it can make the others' statement fail. */
function refuseText(item: Readonly<Record<string, unknown>>): void {
  for (const value of Object.values(item)) {
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) {
      throw Object.assign(new Error('a text with a NUL or half a character'), { code: '22021' });
    }
  }
}

type Waiting<Item, Result> = {
  item: Item;
  resolve(result: Result | undefined): void;
  reject(error: unknown): void;
};

function batched<Item, Result>(
  runTogether: (items: readonly Item[]) => Promise<readonly (Result | undefined)[]>,
): (item: Item) => Promise<Result | undefined> {
  let waiting: Waiting<Item, Result>[] = [];
  let isLeaving = false;
  let underWay = 0;

  const leave = () => {
    isLeaving = false;
    while (waiting.length > 0 && underWay < atOnce) {
      const batch = waiting.slice(0, mostItems);
      waiting = waiting.slice(mostItems);
      underWay += 1;
      carryOut(batch).finally(() => {
        underWay -= 1;
        leaveSoon();
      });
    }
  };
  const leaveSoon = () => {
    if (isLeaving || waiting.length === 0 || underWay >= atOnce) return;
    isLeaving = true;
    setImmediate(leave);
  };
  const carryOut = async (batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await runTogether(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => {
        resolve(results[index]);
      });
    } catch (error) {
      if (batch.length > 1 && isOfDatabase(error)) {
        for (const one of batch) await carryOut([one]);
        return;
      }
      // Whoever waits behind a database that is lost would wait for the same, and be served when they have long gone.
      const others = isUnavailable(error) ? waiting.splice(0) : [];
      for (const { reject } of [...batch, ...others]) reject(error);
    }
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      leaveSoon();
    });
}
