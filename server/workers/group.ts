/** The side of a worker: the processes that share the port of a store (WORKERS) count requests together, and their metrics are summed. */

import cluster from 'node:cluster';
import type { Count, CountCall, ToPrimary, ToWorker } from './messages.ts';

export type WorkerGroup = {
  /** The number of workers. */
  size: number;
  /** True for the worker that prints and logs the messages that a store writes once. */
  isFirst: boolean;
  /** Tells the primary that this worker serves. */
  recordOpened(): void;
  /** Counts a request, of all workers together. */
  count(name: string, key: string, windowMs: number): Promise<Count>;
  /** @returns the measurements of all workers, in the text format of Prometheus. */
  sumMetrics(): Promise<string>;
  /** @param measure returns the measurements of this worker. Called when the primary asks for them. */
  onMeasure(measure: () => Promise<string>): void;
};

/** @returns the share of a limit for each process: at least 1. */
export const shareOf = (max: number, processes: number): number => Math.max(1, Math.floor(max / processes));

/** @returns the group of this process; undefined if the store has one process. */
export function joinWorkers(size: number): WorkerGroup | undefined {
  const { worker } = cluster;
  if (!worker) return undefined;
  const send = (message: ToPrimary): void => {
    worker.send(message);
  };
  let lastId = 0;
  let queued: CountCall[] = [];
  const counting = new Map<number, (count: Count) => void>();
  const summing = new Map<number, (text: string) => void>();
  let measure: () => Promise<string> = async () => '';

  // One message counts all requests that arrived together.
  const flush = () => {
    send({ kind: 'count', calls: queued });
    queued = [];
  };

  worker.on('message', (message: ToWorker) => {
    if (message.kind === 'counted') {
      for (const { id, ...count } of message.results) {
        counting.get(id)?.(count);
        counting.delete(id);
      }
    } else if (message.kind === 'summed') {
      summing.get(message.id)?.(message.text);
      summing.delete(message.id);
    } else if (message.kind === 'measure') {
      const { id } = message;
      measure().then(
        (text) => send({ kind: 'measured', id, text }),
        () => send({ kind: 'measured', id, text: '' }),
      );
    }
  });

  return {
    size,
    isFirst: worker.id === 1,
    recordOpened: () => send({ kind: 'opened' }),
    count(name, key, windowMs) {
      lastId += 1;
      const id = lastId;
      if (queued.length === 0) setImmediate(flush);
      queued.push({ id, name, key, windowMs });
      return new Promise((resolve) => counting.set(id, resolve));
    },
    sumMetrics() {
      lastId += 1;
      const id = lastId;
      send({ kind: 'sum', id });
      return new Promise((resolve) => summing.set(id, resolve));
    },
    onMeasure(given) {
      measure = given;
    },
  };
}
