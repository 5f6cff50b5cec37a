/** The results of the measurements, for the report. Each list has one outcome per round. */

import type { Engine } from './databases.ts';
import type { HardSearch } from './hard-searches.ts';
import type { Disturbance } from './isolation.ts';
import type { Outcome } from './load.ts';
import type { Machine } from './machine.ts';
import type { SignInOutcome } from './sign-in-load.ts';

export const sections = [
  'reads',
  'orders',
  'sign-ins',
  'start',
  'growth',
  'hard-searches',
  'mixed',
  'isolation',
] as const;
export type Section = (typeof sections)[number];

export const readCalls = ['books', 'booksGzip', 'booksNotModified', 'book', 'bookNotModified'] as const;
export type ReadCall = (typeof readCalls)[number];

/** In the order of the report. `limit` is the bare server of `node:http`. */
export const subjects = ['limit', 'nginx', 'SQLite', 'PostgreSQL', 'peer'] as const;
export type Subject = (typeof subjects)[number];
/** The lists of nginx are empty where it is not installed. */
export type Reads = Record<ReadCall, Record<Subject, Outcome[]>>;

export type Orders = Record<Engine | 'peer', Outcome[]> & {
  limits: Record<Engine, { by: string; insertsPerSecond: number[] }>;
};

export type SignIns = Record<Engine, SignInOutcome[]>;

export type Start = { name: string; books: number; ms: number[] }[];

/** The targets are about the mixed `search`; the single searches show where its time goes. */
export const growthCalls = [
  'first page',
  'next page',
  'search',
  'one book',
  'one book, not cached',
  'an order',
  'a customer’s orders',
  'search: common',
  'search: rare',
  'search: two words',
  'search: two letters',
  'search: no match',
] as const;
export type GrowthCall = (typeof growthCalls)[number];
export type Growth = {
  engine: Engine;
  books: number;
  calls: { call: GrowthCall; outcomes: Outcome[] }[];
}[];

export type HardSearches = {
  engine: Engine;
  books: number;
  /** One connection, which sends one search again and again. */
  alone: { search: HardSearch; outcome: Outcome }[];
  /** Several connections, which send them all in turn. */
  together: Outcome[];
}[];

export type Mixed = {
  engine: Engine;
  books: number;
  arrivalsPerSecond: number;
  /** Each connection sends its next request after a response. */
  closed: Outcome[];
  /** Requests arrive at the rate above. */
  open: Outcome[];
}[];

export type Results = {
  machine: Machine;
  options: {
    seconds: number;
    rounds: number;
    books: number;
    only: readonly Section[];
    connections: number;
    searchers: number;
    wrkConnections: number;
    mixedShare: number;
  };
  minutes: number;
  reads?: Reads;
  /** The same, measured by `wrk`: without gzip and the peer, and undefined where it is not installed. */
  readsByWrk?: Reads | undefined;
  orders?: Orders;
  signIns?: SignIns;
  start?: Start;
  growth?: Growth;
  hardSearches?: HardSearches;
  mixed?: Mixed;
  isolation?: readonly Disturbance[];
};

/** @returns the store's name in the report. */
export const storeOn = (engine: Engine): string => `Colophon on ${engine}`;
