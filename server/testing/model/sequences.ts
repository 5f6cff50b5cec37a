/** Sequences of commands: the store must give the answers of the model on both engines. A seed makes the same sequence again. */

import { deepStrictEqual } from 'node:assert';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { paths } from '../../../contract/paths.ts';
import { listed, no, yes } from './answers.ts';
import { allCommands, type Command, ended, ending, type Plan, type PlannedCall, people } from './commands.ts';
import type { Answer, Engine } from './engine.ts';
import { owner } from './node.ts';
import { day, type Person, Shop } from './shop.ts';

const maxCommands = 60;
/** Time between two commands: long enough to record each use of the session of the owner, and sixty of them take less than half a day. */
const stepMs = 7 * 60 * 1000;
/** A node on PostgreSQL hears of the change of another node within this time. */
const maxLagMs = 2_000;

/** `lastWriter`: the node of the last change. */
type Real = { engines: readonly Engine[]; lastWriter: number };

/** Prints a person as their name. */
const nameOnly = (_: string, value: unknown): unknown =>
  people.find((person) => person === value)?.name ?? value;

const stepOf = ({ operation, makes }: Command): fc.Arbitrary<fc.AsyncCommand<Shop, Real>> =>
  makes.map(({ given, plan }) => ({
    toString: () => `${operation} ${JSON.stringify(given, nameOnly)}`,
    check: (shop) => plan(shop) !== undefined,
    run: (shop, real) => play(shop, real, plan),
  }));

async function play(shop: Shop, real: Real, planOf: (shop: Shop) => Plan): Promise<void> {
  shop.now += stepMs;
  await onEach(real, (engine) => engine.setClock(shop.now));
  const plan = planOf(shop);
  if (!plan) return;
  if ('happens' in plan) {
    await onEach(real, plan.happens);
    plan.does();
    await onEach(real, (engine) => engine.setClock(shop.now));
    return;
  }
  await send(shop, real, plan);
  if (plan.next) await send(shop, real, plan.next);
}

/** Lets both engines work at once. @throws the failure of one, after both have ended. */
async function onEach<Result>(
  { engines }: Pick<Real, 'engines'>,
  work: (engine: Engine) => Promise<Result>,
): Promise<Result[]> {
  const done = await Promise.allSettled(engines.map(work));
  return done.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}

const isForOwner = ({ method, path }: PlannedCall): boolean =>
  /^\/(desk|addBook|deleteBook|restoreBook)/.test(path) || (method === 'PATCH' && path.startsWith('/book/'));

/** Sends a call. A person without a session is refused first, signs in, and sends it again. */
async function send(shop: Shop, real: Real, plan: PlannedCall): Promise<void> {
  const { as, by, does } = plan;
  if (!as) return await compare(real, plan, by, does(nobody));
  if (!shop.signedIn(as)) {
    await compare(real, { ...plan, isLost: false }, as, no('SIGN_IN_REQUIRED'));
    if (!(await signIn(shop, real, as, plan.node))) return;
  }
  const customer = shop.signedIn(as) ?? nobody;
  await compare(real, plan, as, isForOwner(plan) && as !== owner ? no('NOT_ALLOWED') : does(customer));
}
/** The person behind calls that need no session. */
const nobody = { id: '', person: owner, createdAt: 0, isBlocked: false, isErased: false };

async function signIn(shop: Shop, real: Real, person: Person, node = 0): Promise<boolean> {
  const isAllowed = shop.signIn(person);
  const name = shop.customers.find((one) => one.person === person && !one.isErased)?.id;
  await onEach(real, async (engine) => {
    const isSignedIn = await engine.signIn(person, name, node);
    if (isSignedIn !== isAllowed)
      throw new Error(`${engine.name}: the sign-in of ${person.name}: ${isSignedIn}`);
  });
  return isAllowed;
}

/** @throws if an answer differs from that of the model, or if the answers of the engines differ. */
async function compare(
  real: Real,
  call: PlannedCall,
  as: Person | undefined,
  expected: Answer,
): Promise<void> {
  const answers = await onEach(real, async (engine) => {
    const mayLag = engine.lags && call.method === 'GET' && (call.node ?? 0) !== real.lastWriter;
    const deadline = performance.now() + (mayLag ? maxLagMs : 0);
    for (;;) {
      const received = await engine.send(as, call, expected);
      const difference = differenceOf(expected, received);
      if (!difference) return received.body;
      if (performance.now() >= deadline)
        throw new Error(`${engine.name}: ${call.method} ${call.path}: ${difference}`);
      await pause(5);
    }
  });
  if (call.method !== 'GET') real.lastWriter = call.node ?? 0;
  const parts = [expected.body, ...Object.values(expected.body ?? {})];
  const hasAnyOrder = call.path.includes('?q=') || parts.some((part) => part instanceof Set);
  const [first, second = first] = answers.map(hasAnyOrder ? inOneOrder : (body) => body);
  const difference = differenceOf({ status: 0, body: first }, { status: 0, body: second });
  if (difference) throw new Error(`${call.method} ${call.path}: the engines differ: ${difference}`);
}

/** @returns the lines in which the answer is (+) another one than expected (-); undefined if there are none. */
function differenceOf({ status, body }: Answer, received: Answer): string | undefined {
  const isKnown = body !== undefined && status === received.status;
  const shown = isKnown ? partOf(body, received.body) : received.body;
  try {
    deepStrictEqual({ status: received.status, body: shown }, { status, body: isKnown ? body : shown });
    return undefined;
  } catch (error) {
    return `${error}${isKnown ? '' : JSON.stringify(shown)}`;
  }
}

/** @returns the part of an answer that the model knows: the fields of what is expected, of which a `Set` has items in any order. */
function partOf(expected: unknown, actual: unknown): unknown {
  if (expected instanceof Set) return new Set(partOf([...expected], actual) as unknown[]);
  if (typeof expected !== 'object' || expected === null) return actual;
  if (Array.isArray(actual) && Array.isArray(expected)) {
    return actual.map((item, index) => partOf(expected[index] ?? expected[0], item));
  }
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return actual;
  return Object.fromEntries(
    Object.entries(expected).map(([name, one]) => [name, partOf(one, Reflect.get(actual, name))]),
  );
}

/** @returns the body with the items of its arrays sorted, as texts. */
const inOneOrder = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (_, value) =>
    Array.isArray(value) ? value.map((item) => JSON.stringify(item)).sort() : value,
  );

/** A Monday morning. The clock of a process only goes forward, because its ids do. */
let nextStart = Date.UTC(2001, 0, 1, 8);

const openingBooks = [
  { title: 'Emma', free: null },
  { title: 'Persuasion', free: 5 },
  { title: 'Dune', free: 1 },
].map((book) => ({ ...book, author: 'Jane Austen', image: 'https://covers.example/1.jpg', cents: 1299 }));

/** Empties the shop and adds three books. */
async function open(engines: readonly Engine[]): Promise<{ model: Shop; real: Real }> {
  const [shop, real] = [new Shop(nextStart), { engines, lastWriter: -1 }];
  await onEach(real, async (engine) => {
    await engine.setClock(shop.now);
    await engine.empty();
  });
  for (const { cents, free, ...book } of openingBooks) {
    const json = { ...book, keywords: '', copies: free, price: { value: cents / 100 } };
    const does = () => yes(listed(shop.insert({ ...book, cents, free, keywords: null })), 201);
    await send(shop, real, { as: owner, method: 'POST', path: paths.addBook, json, does });
  }
  return { model: shop, real };
}

const weighted = (restarts: number) =>
  allCommands.flatMap((command) => {
    const weight = command.operation === ended ? restarts : command.weight;
    return Array.from({ length: weight }, () => stepOf(command));
  });

/** `commands`: the shortest sequence that fails. */
export type Failure = { seed: number; commands: string; reason: string };

/**
 * Plays the sequence of a seed on the engines.
 * @param restarts how often a node ends, compared with the other commands.
 * @returns undefined if each answer was the model's.
 */
export async function playSequence(
  engines: readonly Engine[],
  seed: number,
  { shrinks = true, restarts = 1 }: { shrinks?: boolean; restarts?: number } = {},
): Promise<Failure | undefined> {
  const sequences = fc.commands(weighted(restarts), { maxCommands, size: 'max' });
  const isSame = fc.asyncProperty(sequences, async (sequence) => {
    const opened = await open(engines);
    const { model, real } = opened;
    try {
      await fc.asyncModelRun(() => opened, sequence);
      for (const plan of ending) await play(model, real, plan);
    } finally {
      const [week, monday] = [7 * day, Date.UTC(2001, 0, 1, 8)];
      nextStart = monday + (Math.floor((model.now - monday) / week) + 1) * week;
    }
  });
  const result = await fc.check(isSame, { seed, numRuns: 1, unbiased: true, endOnFailure: !shrinks });
  if (!result.failed) return undefined;
  const { errorInstance, counterexample } = result;
  const reason = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  return { seed, commands: String(counterexample), reason };
}

/** Faults of the store that sequences have found so far. Each has a test of its own: a changed weight makes another sequence of a seed. */
export const foundBySequences = 1;
