/** The messages between the processes of a store with WORKERS. */

/** Counts a request: `name` of the limit, `key` of the client or account. */
export type CountCall = { id: number; name: string; key: string; windowMs: number };
/** `current`: how many there were in the window, this one included. `ttl`: the rest of the window, in milliseconds. */
export type Count = { current: number; ttl: number };

export type ToPrimary =
  /** The worker serves. */
  | { kind: 'opened' }
  | { kind: 'count'; calls: readonly CountCall[] }
  /** Asks for the measurements of all workers. */
  | { kind: 'sum'; id: number }
  /** The measurements of this worker, which the primary has asked for. */
  | { kind: 'measured'; id: number; text: string };

export type ToWorker =
  | { kind: 'counted'; results: readonly (Count & { id: number })[] }
  | { kind: 'measure'; id: number }
  | { kind: 'summed'; id: number; text: string };
