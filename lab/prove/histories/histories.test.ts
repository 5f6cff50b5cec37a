import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkCopies, checkReceipts } from './check-copies.ts';
import { checkReads, checkRegister } from './check-register.ts';
import { checkSet } from './check-set.ts';
import { type CopiesOperation, noLag, type RegisterOperation, type SetOperation } from './history.ts';

/** A call of a client: when it asks, after how long it takes effect and is answered, and a number to choose with. */
type Call = {
  at: number;
  effectMs: number;
  answerMs: number;
  choice: number;
  client: number;
  isUnanswered: boolean;
};

const calls = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: 400 }),
    effectMs: fc.integer({ min: 1, max: 20 }),
    answerMs: fc.integer({ min: 1, max: 20 }),
    choice: fc.nat(999),
    client: fc.nat(3),
    isUnanswered: fc.boolean(),
  }),
  { minLength: 30, maxLength: 60, size: 'max' },
);

/** Lets a system answer the calls in the order in which they take effect. An unanswered one may also have none. */
function play<Of>(
  some: readonly Call[],
  answer: (call: Call, asked: ReturnType<typeof askedBy>, has: boolean) => Of | undefined,
): Of[] {
  return some
    .map((call, index) => ({ call, index }))
    .sort((one, other) => one.call.at + one.call.effectMs - other.call.at - other.call.effectMs)
    .flatMap(({ call, index }) => {
      const isUnanswered = call.isUnanswered && call.choice % 4 === 0;
      const operation = answer(
        { ...call, isUnanswered, choice: call.choice * 1000 + index },
        askedBy(call, isUnanswered),
        !isUnanswered || call.choice % 8 === 0,
      );
      return operation === undefined ? [] : [operation];
    });
}

const askedBy = ({ at, effectMs, answerMs, client }: Call, isUnanswered: boolean) => ({
  process: `client ${client}`,
  node: `node ${client % 2}`,
  key: 'x',
  invokedAt: at,
  answeredAt: at + effectMs + answerMs,
  outcome: isUnanswered ? ('unknown' as const) : ('ok' as const),
});

/** @returns the share of histories in which a check finds something. */
function shareFound<Of>(
  make: (some: readonly Call[]) => Of,
  check: (history: Of) => readonly string[],
): number {
  const samples = fc.sample(calls, { numRuns: 200, seed: 1 });
  return samples.filter((some) => check(make(some)).length > 0).length / samples.length;
}

type SetFault = 'loses' | 'doubles' | 'is stale' | 'invents';

const setHistory =
  (fault?: SetFault) =>
  (some: readonly Call[]): SetOperation[] => {
    const elements: string[] = [];
    return play(some, ({ choice, isUnanswered }, asked, has) => {
      const isFaulty = choice % 5 === 0;
      if (choice % 2 === 0) {
        const value = `element ${choice}`;
        if (has && !(fault === 'loses' && isFaulty)) elements.push(value);
        if (has && fault === 'doubles' && isFaulty) elements.push(value);
        return { ...asked, kind: 'add', value };
      }
      if (isUnanswered) return undefined;
      const invented = fault === 'invents' && isFaulty ? ['another'] : [];
      const value = fault === 'is stale' && isFaulty ? elements.slice(0, -3) : [...elements, ...invented];
      return { ...asked, kind: 'list', value };
    });
  };

type RegisterFault = 'ignores the condition' | 'is stale' | 'loses';

const registerHistory =
  (fault?: RegisterFault) =>
  (some: readonly Call[]): RegisterOperation[] => {
    const past = [0];
    return play(some, ({ choice, isUnanswered }, asked, has) => {
      const isFaulty = choice % 5 === 0;
      const state = past.at(-1) ?? 0;
      if (choice % 2 === 1) {
        const value = (fault === 'is stale' && isFaulty && past.at(-3)) || state;
        return isUnanswered ? undefined : { ...asked, kind: 'read', value };
      }
      const from = choice % 3 === 0 ? (past.at(-2) ?? state) : state;
      const isReplaced = from === state || (fault === 'ignores the condition' && isFaulty);
      if (has && isReplaced && !(fault === 'loses' && isFaulty)) past.push(choice);
      const outcome = asked.outcome === 'ok' && !isReplaced ? 'fail' : asked.outcome;
      return { ...asked, outcome, kind: 'replace', value: { from, to: choice } };
    });
  };

const initial = new Map([['x', 0]]);
const checkNumber = (operations: RegisterOperation[]) => checkRegister(operations, initial);

type CopiesFault = 'oversells' | 'loses a copy' | 'loses an order' | 'refuses while there are copies';

const copiesHistory =
  (fault?: CopiesFault) =>
  (some: readonly Call[]): { operations: CopiesOperation[]; orders: Set<string>; at: number } => {
    let left = 0;
    const orders = new Set<string>();
    const operations = play<CopiesOperation>(some, ({ choice, isUnanswered }, asked, has) => {
      const isFaulty = choice % 5 === 0;
      if (choice % 4 === 0) {
        if (has) left += fault === 'loses a copy' && isFaulty ? 0 : 1;
        return { ...asked, kind: 'restock', value: 1 };
      }
      if (choice % 4 === 1) return isUnanswered ? undefined : { ...asked, kind: 'count', value: left };
      const isSold = left > 0 || (fault === 'oversells' && isFaulty);
      if (!isSold || (fault === 'refuses while there are copies' && isFaulty))
        return isUnanswered ? undefined : { ...asked, kind: 'count', value: 0 };
      const value = `order ${choice}`;
      if (has && !(fault === 'loses an order' && isFaulty)) orders.add(value);
      if (has) left = Math.max(0, left - 1);
      return { ...asked, kind: 'buy', value };
    });
    return { operations, orders, at: 500 };
  };

const checkStock = ({ operations, ...stored }: ReturnType<ReturnType<typeof copiesHistory>>) =>
  checkCopies(operations, stored);

test('whatever a sound system answers, no check finds anything', () => {
  fc.assert(
    fc.property(calls, (some) => {
      expect(checkSet(setHistory()(some))).toEqual([]);
      expect(checkNumber(registerHistory()(some))).toEqual([]);
      expect(checkStock(copiesHistory()(some))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test.each<SetFault>(['loses', 'doubles', 'is stale', 'invents'])('a set that %s is found', (fault) => {
  expect(shareFound(setHistory(fault), checkSet)).toBeGreaterThan(0.5);
});

test.each<RegisterFault>(['ignores the condition', 'is stale', 'loses'])(
  'a number that %s is found',
  (fault) => {
    expect(shareFound(registerHistory(fault), checkNumber)).toBeGreaterThan(0.5);
  },
);

test.each<CopiesFault>(['oversells', 'loses a copy', 'loses an order', 'refuses while there are copies'])(
  'a shop that %s is found',
  (fault) => {
    expect(shareFound(copiesHistory(fault), checkStock)).toBeGreaterThan(0.3);
  },
);

const asked = { process: 'a', node: 'one', key: 'x', outcome: 'ok' } as const;
const list = (invokedAt: number, value: string[], node = 'one'): SetOperation => ({
  ...asked,
  ...{ node, kind: 'list', value, invokedAt, answeredAt: invokedAt + 1 },
});
const add = (value: string, invokedAt: number, outcome: 'ok' | 'unknown' = 'ok'): SetOperation => ({
  ...asked,
  ...{ kind: 'add', value, invokedAt, answeredAt: invokedAt + 1, outcome },
});

test('what is missing for a time is stale, and what does not come back is lost', () => {
  const isStale = [add('a', 0), list(5, []), list(10, ['a'])];
  expect(checkSet(isStale)).toEqual(['x: stale: a is not in the list of one at 5']);
  expect(checkSet(isStale.slice(0, 2))).toEqual(['x: lost: a is not in the list of one at 5']);
});

test('what was seen once is there, whether or not its addition was answered', () => {
  const seen = [add('a', 0, 'unknown'), list(5, []), list(10, ['a'])];
  expect(checkSet(seen)).toEqual([]);
  expect(checkSet([...seen, list(15, [])])).toEqual(['x: lost: a is not in the list of one at 15']);
});

test('a list of another node may be late by as much as is allowed, one of the same node may not', () => {
  const mayLag = (shown: { node: string }, changed: { node: string }) =>
    shown.node === changed.node ? 0 : 10;
  const after = (at: number, node: string) =>
    checkSet([add('a', 0), list(at, [], node), list(50, ['a'], node)], mayLag);

  expect(after(9, 'two')).toEqual([]);
  expect(after(12, 'two')).toHaveLength(1);
  expect(after(9, 'one')).toHaveLength(1);
});

const replace = (
  from: number,
  to: number,
  invokedAt: number,
  outcome: RegisterOperation['outcome'],
): RegisterOperation => ({
  ...asked,
  ...{ kind: 'replace', value: { from, to }, invokedAt, answeredAt: invokedAt + 5, outcome },
});
const read = (value: number, invokedAt: number, node = 'one'): RegisterOperation => ({
  ...asked,
  ...{ node, kind: 'read', value, invokedAt, answeredAt: invokedAt + 1 },
});

test('an unknown replacement may take effect late or never, and once', () => {
  const unknown = replace(0, 1, 0, 'unknown');

  expect(checkNumber([unknown, read(0, 10), read(1, 20)])).toEqual([]);
  expect(checkNumber([unknown, read(0, 10), replace(0, 2, 20, 'ok'), read(2, 30)])).toEqual([]);
  expect(checkNumber([unknown, read(1, 10), read(0, 20)])).toEqual([
    'x: read 0 of a at 21 (ok), where the number was 1',
  ]);
});

test('a refused replacement means that the number was another one', () => {
  expect(checkNumber([replace(0, 1, 0, 'ok'), replace(0, 2, 10, 'fail'), read(1, 20)])).toEqual([]);
  expect(checkNumber([replace(0, 1, 0, 'fail')])).toHaveLength(1);
});

test('a cache may not show what its node has replaced, nor what another one has for longer than allowed', () => {
  const writes = [replace(0, 1, 0, 'ok'), replace(1, 2, 10, 'ok')];
  const found = (one: RegisterOperation) =>
    checkReads(writes, [one], initial, (shown, changed) => (shown.node === changed.node ? 0 : 100));

  expect(found(read(2, 20))).toEqual([]);
  expect(found(read(1, 20))).toEqual(['x: 1 from one at 20, after one had replaced it at 15']);
  expect(found(read(1, 20, 'two'))).toEqual([]);
  expect(found(read(1, 120, 'two'))).toHaveLength(1);
  expect(found(read(2, 5))).toEqual(['x: 2 from one at 5, before it was written']);
  expect(found(read(7, 20))).toEqual(['x: 7 from one at 20, which was never its number']);
  expect(checkReads(writes, [read(0, 12)], initial, noLag)).toHaveLength(1);
});

test('each order has a receipt, and only as many come again as may', () => {
  expect(checkReceipts(['a', 'b'], ['b', 'a', 'b'], 1)).toEqual([]);
  expect(checkReceipts(['a', 'b'], ['b', 'b', 'c'], 0)).toEqual([
    'no receipt: a',
    'a receipt of no order: c',
    '1 receipts came again, at most 0 may',
  ]);
});
