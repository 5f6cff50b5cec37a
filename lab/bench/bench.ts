/** The parts that all sections of the benchmark share. */

import type { ServerProcess } from '../../server/testing/server-process.ts';
import type { Databases, Engine, FilledDatabase } from './databases.ts';

/** Books of the smallest catalogue. */
export const fewBooks = 100;

export type Outcome = {
  responses?: number;
  perSecond: number;
  p50Ms?: number;
  p99Ms?: number;
  /** Processor time of the server for each response. Undefined where the system has no /proc. */
  serverMs?: number | undefined;
  /** Share of a core that the load used. */
  loadCores?: number;
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

/** A figure, one value for each round, and the limit of their median, where there is one. */
export type Target = { name: string; values: readonly number[]; min?: number; max?: number; unit?: string };

/** A part of the report. */
export type Section = { title: string; text: string; targets: readonly Target[] };

/** The input of a section. */
export type Bench = {
  databases: Databases;
  /** Whole seconds of each measurement. */
  seconds: number;
  /** Books of the largest catalogue. */
  maxBooks: number;
  /** Fills a database of each engine, at the first call for this number of books. */
  fill(books: number): Promise<Record<Engine, FilledDatabase>>;
  /**
   * Registers a server, which is stopped after the section at the latest.
   * @param name for the table of memory; without it the server is not in the table.
   */
  start(starting: Promise<ServerProcess>, name?: string): Promise<ServerProcess>;
  stop(server: ServerProcess): Promise<void>;
  /** Measures each row for a second, which warms it up and does not count, and then all rows in each round. */
  measure(
    what: string,
    rows: readonly Pick<Row<unknown>, 'measure' | 'outcomes'>[],
    seconds?: number,
  ): Promise<void>;
};

/** Divides round by round: a disturbance of the machine affects both. */
export const ratios = (dividends: readonly number[], divisors: readonly number[]): number[] =>
  dividends.map((value, round) => value / (divisors[round] ?? Number.NaN));

export const rates = ({ outcomes }: Row): number[] => outcomes.map(({ perSecond }) => perSecond);
export const p50s = ({ outcomes }: Row): number[] => outcomes.map(({ p50Ms = Number.NaN }) => p50Ms);
export const p99s = ({ outcomes }: Row): number[] => outcomes.map(({ p99Ms = Number.NaN }) => p99Ms);

/** @returns the rate of a row as a multiple of another's. */
export const rateTarget = (what: string, own: Row, other: Row, min?: number): Target => ({
  name: `${what}: ${own.name} / ${other.name}`,
  values: ratios(rates(own), rates(other)),
  ...(min === undefined ? {} : { min }),
});
