import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openUploadSlots } from './upload-slots.ts';

const open = () => new ServerResponse(new IncomingMessage(new Socket()));

let events: string[];
let slots: ReturnType<typeof openUploadSlots>;
beforeEach(() => {
  vi.useFakeTimers();
  events = [];
  slots = openUploadSlots();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Takes a slot, and records when it has it, or is refused one. */
function take(name: string, accountId = name.slice(0, 1), response = open()) {
  const slot = slots.take(accountId, response);
  slot.then(
    () => events.push(name),
    ({ code }) => events.push(`${name} ${code}`),
  );
  return slot;
}

test('uploads of an account wait for its two slots in the order of their arrival, and those of others do not', async () => {
  const [first, second] = [await take('a1'), await take('a2')];
  take('a3');
  take('a4');
  await take('b1');

  second();
  await vi.advanceTimersByTimeAsync(0);
  events.push('one has ended');
  first();
  await vi.advanceTimersByTimeAsync(0);

  expect(events).toEqual(['a1', 'a2', 'b1', 'a3', 'one has ended', 'a4']);
});

test('a slot that is free goes to an account with the fewest, and there to the first', async () => {
  const [free] = await Promise.all(
    ['a1', 'a2', 'b1', 'b2', 'c1', 'c2', 'd1', 'd2'].map((name) => take(name)),
  );
  for (const name of ['b3', 'a3', 'e1', 'f1']) take(name);
  await vi.advanceTimersByTimeAsync(0);

  free?.();
  await vi.advanceTimersByTimeAsync(0);

  expect(events.slice(8)).toEqual(['e1']);
});

test('at most four of an account wait and eight in all, and one more without a slot, for ten seconds', async () => {
  for (const name of ['a1', 'a2', 'b1', 'b2', 'c1', 'c2', 'd1', 'd2']) await take(name);
  for (const account of ['a', 'b'])
    for (const turn of [3, 4, 5, 6]) take(`${account}${turn}`).catch(() => {});

  for (const name of ['a7', 'c3', 'e1', 'f1']) take(name).catch(() => {});
  await vi.advanceTimersByTimeAsync(9_999);
  expect(events.slice(8)).toEqual(['a7 BUSY', 'c3 BUSY', 'f1 BUSY']);

  await vi.advanceTimersByTimeAsync(1);
  expect(events.slice(11)).toEqual(
    ['a3', 'a4', 'a5', 'a6', 'b3', 'b4', 'b5', 'b6', 'e1'].map((name) => `${name} BUSY`),
  );
});

test('a client that goes away leaves its place to the next', async () => {
  const [first] = [await take('a1'), await take('a2')];
  const gone = open();
  take('a3', 'a', gone).catch(() => {});
  take('a4');

  gone.destroy();
  gone.emit('close');
  first();
  await vi.advanceTimersByTimeAsync(0);

  expect(events.slice(2)).toEqual(['a3 MALFORMED_BODY', 'a4']);
  await expect(take('a5', 'a', gone)).rejects.toMatchObject({ code: 'MALFORMED_BODY' });
});
