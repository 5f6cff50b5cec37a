/** A command of `npm run shop`: how it is declared, and how it prints. */

import type { Readable, Writable } from 'node:stream';
import { StartError } from '../server/start-error.ts';
import { type Declaration, flag, type Options, type Values } from '../tools/options.ts';

/** The streams and settings of a command: the process's own, or a test's. */
export type Io = {
  /** The environment; the values of `.env` are added to it. */
  env: Record<string, string | undefined>;
  stdin: Readable;
  stdout: Writable;
  stderr: Writable & { isTTY?: boolean };
  /** Makes SIGINT and SIGTERM abort the work from now on, instead of ending the process. */
  stopSignal(): AbortSignal;
};

type Line = string | readonly string[];

export type Result = {
  /** The only output with `--json`. */
  json?: unknown;
  /** The output without `--json`, on standard output: a text or columns. */
  lines: readonly Line[];
  /** A message without `--json`, on standard error. */
  notes?: readonly string[];
  /** A failure with exit code 1; the sentence goes to standard error, even with `--json`. */
  failure?: string | boolean | undefined;
};

export type Command<Of extends Options = Options> = Declaration<Of> & {
  /** @returns nothing if the command has printed its output itself. */
  run(values: Values<Of>, io: Io, operands: readonly string[]): Promise<Result | undefined>;
};

export const command = <Of extends Options>(declared: Command<Of>): Command => declared;

export const json = flag('print JSON');

/** A wrong use that the options alone do not reveal; exit code 2. */
export class UsageError extends StartError {}

/** Escapes control characters: a text from a file or an older version could control the terminal. */
export const printLine = (stream: Writable, line: Line): void => {
  const text = [line].flat().join('  ');
  stream.write(`${text.replace(/\p{Cc}/gu, '\ufffd')}\n`);
};

export const grouped = (count: number): string => count.toLocaleString('en-GB');

/** Shows the progress of long work on a terminal, in one line that is rewritten. `share`: of the step, from 0 to 1. */
export async function withMeter<Done>(
  { stderr }: Io,
  work: (onStep: (step: string, share?: number) => void) => Promise<Done>,
): Promise<Done> {
  const show = (text: string) => stderr.isTTY && stderr.write(`\r\u001b[K${text}`);
  return await work((step, share) => {
    show(share === undefined ? step : `${step}, ${Math.min(99, Math.floor(share * 100))} %`);
  }).finally(() => show(''));
}
