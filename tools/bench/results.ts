/** What the measurements yield, for the report: each a list with one outcome a round. */

import type { Engine } from './databases.ts';
import type { Outcome } from './load.ts';
import type { Machine } from './machine.ts';

export const sections = ['reads', 'orders', 'start', 'growth', 'mixed'] as const;
export type Section = (typeof sections)[number];

export const readCalls = ['books', 'booksGzip', 'book'] as const;
export type ReadCall = (typeof readCalls)[number];

export type Subject = 'limit' | Engine | 'peer';
export type Reads = Record<ReadCall, Record<Subject, Outcome[]>>;

export type Orders = Record<Engine | 'peer', Outcome[]> & {
  limits: Record<Engine, { by: string; insertsPerSecond: number[] }>;
};

export type Start = { name: string; books: number; ms: number[] }[];

/** Of a search the mix is what counts; its parts tell where its time goes. */
export const growthCalls = [
  'first page',
  'next page',
  'search',
  'one book',
  'one book, not yet asked for',
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

export type Mixed = {
  engine: Engine;
  books: number;
  arrivalsPerSecond: number;
  /** As many as 32 connections bring about. */
  closed: Outcome[];
  /** As they arrive. */
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
    mixedShare: number;
  };
  minutes: number;
  reads?: Reads;
  orders?: Orders;
  start?: Start;
  growth?: Growth;
  mixed?: Mixed;
};

export const storeOn = (engine: Engine): string => `Colophon on ${engine}`;
