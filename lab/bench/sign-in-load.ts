/**
 * The load of sign-ins: a process whose visitors sign in again and again, each time as another browser. It follows the
 * redirects between store and provider and keeps cookies as browsers do. It receives one plan as a message, sends one
 * outcome, and exits.
 */

import { randomUUID } from 'node:crypto';
import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { paths } from '../../contract/paths.ts';
import { answerPlan, latencyFigures, type Outcome, startMeasuring } from './load.ts';

export type SignInPlan = {
  /** The store's. */
  port: number;
  pid: number;
  /** How many sign in at the same time. */
  visitors: number;
  warmUpSeconds: number;
  seconds: number;
};

/** Both have one response for each sign-in. */
export type SignInOutcome = {
  /** From the click to the session, with the provider's part. */
  whole: Outcome;
  /** From the callback to the session. */
  fromCallback: Outcome;
};

const agent = new Agent({ keepAlive: true });

type Cookies = Map<string, string>;

/** @returns the response, which must have the expected status. */
async function request(address: URL, expectedStatus: number, cookies: Cookies = new Map()) {
  const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(address, { agent, headers: cookies.size > 0 ? headers : {} }, resolve).on('error', reject);
  });
  const body = await text(response);
  if (response.statusCode !== expectedStatus) {
    throw new Error(`${address.pathname} has the status ${response.statusCode}: ${body}`);
  }
  for (const line of response.headers['set-cookie'] ?? []) {
    const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(line) ?? [];
    if (value === '') cookies.delete(name);
    else cookies.set(name, value);
  }
  return { body, location: response.headers.location ?? '' };
}

/** One sign-in, in a new browser. @returns when it began, reached the callback, and had its session. */
async function signIn(store: string) {
  const cookies: Cookies = new Map();
  const startedAt = performance.now();
  const begun = await request(new URL(`${paths.signIn}?attempt=${randomUUID()}`, store), 302, cookies);
  const agreed = await request(new URL(begun.location), 302);
  const callback = new URL(agreed.location);
  const calledBackAt = performance.now();
  await request(new URL(callback.pathname + callback.search, store), 200, cookies);
  const { body } = await request(new URL(paths.session, store), 200, cookies);
  if (!JSON.parse(body)) throw new Error('a sign-in ended without a session');
  return { startedAt, calledBackAt, endedAt: performance.now() };
}

async function execute({ port, pid, visitors, warmUpSeconds, seconds }: SignInPlan): Promise<SignInOutcome> {
  const whole: number[] = [];
  const fromCallback: number[] = [];
  let isMeasuring = false;
  let isOver = false;
  const visit = async () => {
    while (!isOver) {
      const { startedAt, calledBackAt, endedAt } = await signIn(`http://127.0.0.1:${port}`);
      if (!isMeasuring) continue;
      whole.push(endedAt - startedAt);
      fromCallback.push(endedAt - calledBackAt);
    }
  };
  const visits = Promise.all(Array.from({ length: visitors }, visit));
  const measure = async () => {
    await pause(warmUpSeconds * 1000);
    const finish = startMeasuring(pid);
    isMeasuring = true;
    await pause(seconds * 1000);
    isMeasuring = false;
    isOver = true;
    return finish();
  };
  // A failed visit ends the measurement at once.
  const [usage] = await Promise.all([measure(), visits]);
  const outcomeOf = (latenciesMs: readonly number[]): Outcome => ({
    ...latencyFigures(latenciesMs, usage.seconds),
    ...usage,
    bodyBytes: undefined,
    failures: 0,
    firstFailure: '',
  });
  return { whole: outcomeOf(whole), fromCallback: outcomeOf(fromCallback) };
}

if (import.meta.main) answerPlan(execute);
