/** A history: what clients of a store asked of it, what it answered, and when. The checks of it stand beside. */

/** `node`: the one that was asked. Times by one clock, in milliseconds. `unknown`: it may have taken effect, or may do so later. */
type Asked = {
  process: string;
  node: string;
  /** The subject of the operation: a buyer, a book, a list. */
  key: string;
  invokedAt: number;
  answeredAt: number;
  outcome: 'ok' | 'fail' | 'unknown';
};

/** Operations on a set: an element is added, perhaps by several tries, and all elements are read. */
export type SetOperation = Asked &
  ({ kind: 'add'; value: string } | { kind: 'list'; value: readonly string[] });

/** Operations on a number: it is replaced if it is still the one that was read, and read. */
export type RegisterOperation = Asked &
  ({ kind: 'replace'; value: { from: number; to: number } } | { kind: 'read'; value: number });

/** Operations on copies: some come, one is bought, perhaps by several tries of an order, and those that are left are counted. */
export type CopiesOperation = Asked &
  ({ kind: 'restock'; value: number } | { kind: 'buy'; value: string } | { kind: 'count'; value: number });

export type Operation = SetOperation | RegisterOperation | CopiesOperation;

/** @returns the operations, grouped by key. */
export const byKey = <Of extends { key: string }>(operations: readonly Of[]): Map<string, Of[]> =>
  Map.groupBy(operations, ({ key }) => key);

/**
 * How old, in milliseconds, what an operation shows may be: a change counts that another one has shown or made so long before.
 */
export type Lag = (shown: Pick<Operation, 'node'>, changed: Pick<Operation, 'node'>) => number;

export const noLag: Lag = () => 0;
