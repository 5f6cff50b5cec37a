import { BoundedMap } from '../database/bounded-map.ts';
import type { Count } from './messages.ts';

/** The default of @fastify/rate-limit, which counts where a store has one process. */
const maxKeys = 5_000;

/** Counts requests in fixed windows for all workers. Each limit keeps the 5,000 keys that were used last. */
export function openCounts(now: () => number = Date.now) {
  type Counted = { current: number; endsAt: number };
  const limits = new Map<string, Map<string, Counted>>();
  return (name: string, key: string, windowMs: number): Count => {
    const counts = limits.get(name) ?? new BoundedMap<string, Counted>({ maxEntries: maxKeys });
    limits.set(name, counts);
    const at = now();
    const known = counts.get(key);
    const count = known && known.endsAt > at ? known : { current: 0, endsAt: at + windowMs };
    count.current += 1;
    counts.set(key, count);
    return { current: count.current, ttl: count.endsAt - at };
  };
}
