/**
 * `npm run fuzz`: sends a store of its own many requests, valid, nearly valid and hostile, and fails when the
 * store sends a response that it must not send, when a text came back changed, or when the log has what it must not have.
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Book } from '../../contract/book.ts';
import { nextPagePath } from '../../contract/next-page.ts';
import type { Order } from '../../contract/order.ts';
import { paths } from '../../contract/paths.ts';
import { responseFaults } from '../../server/testing/response-faults.ts';
import { oneOf, readOptions, wholeNumber } from '../../tools/options.ts';
import { collectFindings, type Findings } from './findings.ts';
import { rawRequests, sendRaw } from './raw-requests.ts';
import { type GeneratedRequest, generatedRequests } from './requests.ts';
import { keepConnections, sendRequest } from './send-request.ts';
import { watchStalls } from './stalls.ts';
import { customerDomain, type StoreContents } from './store-contents.ts';
import { type Cleanup, openTarget, readJson, type Target } from './target.ts';

const options = readOptions(
  'npm run fuzz',
  'Sends generated requests to a store of its own, and checks every response.',
  {
    requests: wholeNumber('how many requests', 100_000, 1),
    database: oneOf('the engine', ['sqlite', 'postgres']),
    seed: wholeNumber(
      'of the random requests; the same seed makes the same requests',
      Date.now() % 1_000_000_000,
    ),
    connections: wholeNumber('how many requests are on their way at once', 32, 1),
  },
);

const maxResponseMs = 1_000;
/** One of so many requests is bytes that no HTTP client sends. */
const rawShare = 50;
/** Generated at once: few enough that this process does not stand still. */
const chunkSize = 50;

/** @returns the requests one after another; raw ones are texts. */
function* requestsIn(contents: StoreContents): Generator<GeneratedRequest | string> {
  const generated = generatedRequests(contents);
  for (let sent = 0; sent < options.requests; ) {
    const seed = options.seed + sent;
    const chunk: (GeneratedRequest | string)[] = fc.sample(generated, { numRuns: chunkSize, seed });
    chunk.push(...fc.sample(rawRequests, { numRuns: Math.ceil(chunkSize / rawShare), seed }));
    yield* chunk.slice(0, options.requests - sent);
    sent += chunk.length;
  }
}

/** Everything that the store has accepted, by id. */
type Accepted = { books: Map<string, Book>; orders: Map<string, Order> };

async function sendAll({ store, contents, publicOrigin }: Target, findings: Findings): Promise<Accepted> {
  const accepted: Accepted = { books: new Map(), orders: new Map() };
  const findFaults = responseFaults(contents.description, publicOrigin);
  const agent = keepConnections(options.connections);
  const stalls = watchStalls(store.pid);
  const requests = requestsIn(contents);

  const send = async (request: GeneratedRequest) => {
    const { operation } = request;
    const startedAt = performance.now();
    try {
      const response = await sendRequest(store.origin, request, agent);
      const endedAt = performance.now();
      const elapsedMs = endedAt - startedAt;
      // Looked up only where it matters, because it takes a while.
      const ms = elapsedMs > maxResponseMs / 2 ? elapsedMs - stalls.lostMs(startedAt, endedAt) : elapsedMs;
      findings.count(operation, response.status);
      findings.time(operation, ms);
      if (ms > maxResponseMs) findings.add(`${operation} took more than ${maxResponseMs} ms`, request);
      for (const fault of findFaults(request, response)) findings.add(`${operation}: ${fault}`, request);
      if (response.status === 201) {
        const made = JSON.parse(String(response.body));
        (operation === 'POST /addBook' ? accepted.books : accepted.orders).set(made._id, made);
      }
    } catch (error) {
      const { code = String(error) } = error as NodeJS.ErrnoException;
      findings.count(operation, code);
      findings.add(`${operation}: no response (${code})`, request);
      if (code === 'ECONNREFUSED') throw new Error('the store has ended', { cause: error });
    }
  };
  const sendBytes = async (bytes: string) => {
    const { statuses, faults } = await sendRaw(store.port, bytes);
    findings.count('raw bytes', statuses.at(-1) ?? 'closed');
    for (const fault of faults) findings.add(`raw bytes: ${fault}`, bytes);
  };
  const worker = async () => {
    for (const request of requests) {
      await (typeof request === 'string' ? sendBytes(request) : send(request));
    }
  };
  await Promise.all(Array.from({ length: options.connections }, worker));
  stalls.stop();
  agent.destroy();
  print(`the longest time in which this process itself stood still: ${stalls.longestMs().toFixed(0)} ms`);
  return accepted;
}

/** Reads everything that was accepted, and compares. */
async function readBack(
  { store, contents }: Target,
  { books, orders }: Accepted,
  findings: Findings,
): Promise<void> {
  for (const book of books.values()) {
    const found = await readJson<Book>(store.origin + paths.book(book._id));
    if (!isDeepStrictEqual(found, book)) findings.add('a book is not as it was accepted', { book, found });
  }
  const listed = new Map<string, Order>();
  for (const { email, cookie } of contents.customers) {
    let path: string | undefined = paths.allOrder(email);
    while (path !== undefined) {
      const response: Response = await fetch(store.origin + path, { headers: { cookie } });
      path = nextPagePath(response.headers.get('link'), store.origin);
      for (const order of (await response.json()) as Order[]) listed.set(order._id, order);
    }
  }
  for (const order of orders.values()) {
    const found = listed.get(order._id);
    if (!isDeepStrictEqual(found, order))
      findings.add('an order is not as it was accepted', { order, found });
  }
  print(`${books.size} books and ${orders.size} orders were read again`);
}

function checkLog(logFile: string, findings: Findings): void {
  for (const line of readFileSync(logFile, 'utf8').split('\n')) {
    if (line.includes('"stack":')) findings.add('the log has a stack', line);
    if (line.includes(customerDomain)) findings.add('the log has an e-mail', line);
    if (/"level":[56]0/.test(line)) findings.add('the log has an error', line);
  }
}

const print = (text: string) =>
  console.log(`${(performance.now() / 1000).toFixed(1).padStart(6)} s  ${text}`);

const cleanups: Cleanup[] = [];
const cleanUp = async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    cleanUp().finally(() => process.exit(1));
  });
}

try {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-fuzz-'));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  const target = await openTarget(options.database, folder, cleanups);
  print(`${options.requests} requests to a store on ${options.database}, --seed ${options.seed}`);
  const findings = collectFindings();
  const startedAt = performance.now();
  const accepted = await sendAll(target, findings);
  const seconds = (performance.now() - startedAt) / 1000;
  print(`sent in ${seconds.toFixed(0)} s, ${(options.requests / seconds).toFixed(0)} requests a second`);
  await readBack(target, accepted, findings);
  const { exitCode } = await target.store.stop();
  if (exitCode !== 0) findings.add(`the store ended with ${exitCode}`, '');
  checkLog(target.logFile, findings);
  console.log(`\n${findings.report()}\n${findings.faults()} faults`);
  process.exitCode = findings.faults() === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await cleanUp();
}
