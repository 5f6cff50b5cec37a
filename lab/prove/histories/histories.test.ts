import { expect, test } from 'vitest';
import { checkReceipts } from './check-copies.ts';
import { checkReads, checkRegister } from './check-register.ts';
import { checkSet } from './check-set.ts';
import { noLag, type RegisterOperation, type SetOperation } from './history.ts';

/** That the checks find what breaks, and nothing else, show histories of a store, whole and with planted faults (planted.txt). */
const initial = new Map([['x', 0]]);
const checkNumber = (operations: RegisterOperation[]) => checkRegister(operations, initial);

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
