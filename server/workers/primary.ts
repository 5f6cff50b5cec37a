/**
 * The process that starts the workers of a store (WORKERS), and serves nothing itself. Each worker is a node as on a machine of its
 * own, and listens on the same port (SO_REUSEPORT): a connection never waits for this process, and a killed worker loses only its own
 * connections. If the primary of node:cluster passed the connections on, one on its way to a killed worker would stay open for good.
 */

import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { openProcessLog } from '../http/log.ts';
import type { Settings } from '../settings/settings.ts';
import { checkPort } from '../start-error.ts';
import { stopSignals } from '../stop-on-signals.ts';
import { openCounts } from './counts.ts';
import type { ToPrimary, ToWorker } from './messages.ts';
import { countersIn, sumMetrics } from './sum-metrics.ts';

/** A worker that has not served for so long, for example because it could not reach its database, is started again after this time. */
const restartMs = 2_000;
/** A worker that does not respond in this time adds only its last counters to the measurements. */
const measureTimeoutMs = 2_000;

/**
 * Starts the workers, and others in their place when they end. The first one brings the database up to date before the others start.
 * At a signal it stops all of them, and ends when they have ended.
 */
export async function runWorkers(settings: Settings): Promise<void> {
  await checkPort(settings);
  const { log } = openProcessLog(settings);
  const { answer, recordEnd } = openAnswers();
  /** When each began to serve, in milliseconds of `performance.now()`. */
  const opened = new WeakMap<Worker, number>();
  let hasOpened = false;
  let isStopping = false;

  const start = () => {
    const worker = cluster.fork();
    worker.on('message', (message: ToPrimary) => {
      if (message.kind === 'opened') recordOpened(worker);
      else answer(worker, message);
    });
  };
  const recordOpened = (worker: Worker) => {
    opened.set(worker, performance.now());
    if (hasOpened) return;
    hasOpened = true;
    for (let count = 1; count < settings.workers; count += 1) start();
  };
  const endIfAlone = () => {
    if (isStopping && Object.keys(cluster.workers ?? {}).length === 0) process.exit(0);
  };

  for (const signal of stopSignals) {
    process.on(signal, () => {
      isStopping = true;
      for (const worker of workers()) worker.process.kill('SIGTERM');
      endIfAlone();
    });
  }
  cluster.on('exit', async (worker, code, signal) => {
    recordEnd(worker);
    if (isStopping) return endIfAlone();
    // The first worker could not start, and has written the reason.
    if (!hasOpened) process.exit(code || 1);
    log.error(
      { worker: worker.process.pid, code, signal },
      'a worker has ended: another one takes its place',
    );
    const now = performance.now();
    if (now - (opened.get(worker) ?? now) < restartMs) await pause(restartMs);
    if (!isStopping) start();
  });
  start();
}

const workers = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
const sendTo = (worker: Worker, message: ToWorker): void => {
  if (worker.isConnected()) worker.send(message);
};

/** @returns `answer`, which answers the messages of a worker, and `recordEnd`, to be called when one has ended. */
function openAnswers(): {
  answer(worker: Worker, message: ToPrimary): void;
  recordEnd(worker: Worker): void;
} {
  const count = openCounts();
  /** The counters of each worker, from its last response. */
  const counted = new Map<Worker, string>();
  let countedByEnded = '';
  const measuring = new Map<number, Map<Worker, (text: string) => void>>();
  let lastId = 0;

  const sum = async (): Promise<string> => {
    lastId += 1;
    const id = lastId;
    const waiting = new Map<Worker, (text: string) => void>();
    measuring.set(id, waiting);
    // As of now: a worker that ends meanwhile is counted once.
    const ended = countedByEnded;
    const texts = workers().map((worker) => {
      const last = counted.get(worker) ?? '';
      const { promise, resolve } = Promise.withResolvers<string>();
      waiting.set(worker, resolve);
      sendTo(worker, { kind: 'measure', id });
      return Promise.race([promise, pause(measureTimeoutMs, '', { ref: false })]).then((text) => {
        if (text !== '' && !worker.isDead()) counted.set(worker, countersIn(text));
        return text || last;
      });
    });
    const all = await Promise.all(texts);
    measuring.delete(id);
    return sumMetrics([...all, ended]);
  };

  const answer = (worker: Worker, message: ToPrimary) => {
    if (message.kind === 'count') {
      const results = message.calls.map(({ id, name, key, windowMs }) => ({
        id,
        ...count(name, key, windowMs),
      }));
      sendTo(worker, { kind: 'counted', results });
    } else if (message.kind === 'measured') {
      measuring.get(message.id)?.get(worker)?.(message.text);
    } else if (message.kind === 'sum') {
      void sum().then((text) => sendTo(worker, { kind: 'summed', id: message.id, text }));
    }
  };
  return {
    answer,
    recordEnd(worker) {
      countedByEnded = sumMetrics([countedByEnded, counted.get(worker) ?? '']);
      counted.delete(worker);
    },
  };
}
