/** The parts that all sections of the benchmark share. */

import type { ServerProcess } from '../../server/testing/server-process.ts';
import type { Engine, FilledDatabase } from './databases.ts';

/** The number of books in the smallest catalogue. */
export const fewBooks = 100;

export type Outcome = {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Processor time of the server for each response. Not a number where the system has no /proc. */
  serverMs: number;
};

/** A row of a table. */
export type Row<Measured = Outcome> = {
  name: string;
  measure(seconds: number): Promise<Measured>;
  /** The outcome of each round. */
  outcomes: Measured[];
};

export const newRow = <Measured = Outcome>(
  name: string,
  measure: (seconds: number) => Promise<Measured>,
): Row<Measured> => ({ name, measure, outcomes: [] });

/** A figure, one value for each round, and the limit of their median. */
export type Target = { name: string; values: readonly number[]; min?: number; max?: number; unit?: string };

/** A part of the report: a heading and a table, unless its targets say all. */
export type Section = { text?: string; targets: readonly Target[] };

/** The input of a section. */
export type Bench = {
  /** The folder for files of the sections. */
  folder: string;
  /** The number of books in the largest catalogue. */
  maxBooks: number;
  /** Fills a database of each engine, at the first call for this number of books. */
  fill(books: number): Promise<Record<Engine, FilledDatabase>>;
  /** Registers a server, which is stopped after the section at the latest. */
  start(starting: Promise<ServerProcess>): Promise<ServerProcess>;
  /** Measures each row for a second, which warms it up and does not count, and then all rows in each round. */
  measure(what: string, rows: readonly Pick<Row<unknown>, 'measure' | 'outcomes'>[]): Promise<void>;
};

const rates = ({ outcomes }: Row): number[] => outcomes.map(({ perSecond }) => perSecond);

/** Divides the rates round by round: a disturbance of the machine affects both. */
export const rateTarget = (name: string, own: Row, other: Row, min: number): Target => ({
  name,
  values: rates(own).map((rate, round) => rate / (rates(other)[round] ?? Number.NaN)),
  min,
});
