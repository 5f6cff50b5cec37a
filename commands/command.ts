/** A command of `npm run shop`: how it is declared, and how it prints. */

import type { Readable, Writable } from 'node:stream';
import { StartError } from '../server/start-error.ts';
import { type Declaration, flag, type Options, type Values } from '../tools/options.ts';

/** The streams and settings of a command: the process's own, or a test's. */
export type Io = {
  /** The values of `.env` are added to it. */
  env: Record<string, string | undefined>;
  stdin: Readable;
  stdout: Writable;
  stderr: Writable & { isTTY?: boolean };
  /** From the call on, SIGINT and SIGTERM abort the work instead of ending the process. */
  stopSignal(): AbortSignal;
};

type Line = string | readonly string[];

export type Result = {
  /** With `--json` it is all that is printed. */
  json?: unknown;
  /** Without `--json`: on standard output, a text or columns. */
  lines: readonly Line[];
  /** Without `--json`: on standard error. */
  notes?: readonly string[];
  /** Exit code 1; a sentence is printed on standard error, also with `--json`. */
  failure?: string | boolean | undefined;
};

export type Command<Of extends Options = Options> = Declaration<Of> & {
  /** @returns nothing if it has printed by itself. */
  run(values: Values<Of>, io: Io, operands: readonly string[]): Promise<Result | undefined>;
};

export const command = <Of extends Options>(declared: Command<Of>): Command => declared;

export const json = flag('print JSON');

/** A mistake in the words of a command that its options alone do not tell; exit code 2. */
export class UsageError extends StartError {}

/** A text may come from a file or an older version, and a terminal would obey its control characters. */
export const printLine = (stream: Writable, line: Line): void => {
  const text = [line].flat().join('  ');
  stream.write(`${text.replace(/\p{Cc}/gu, '\ufffd')}\n`);
};

export const grouped = (count: number): string => count.toLocaleString('en-GB');

/** Shows on a terminal what long work is at, in one line that is rewritten. `share`: of the step, from 0 to 1. */
export async function withMeter<Done>(
  { stderr }: Io,
  work: (onStep: (step: string, share?: number) => void) => Promise<Done>,
): Promise<Done> {
  const show = (text: string) => stderr.isTTY && stderr.write(`\r\u001b[K${text}`);
  return await work((step, share) => {
    show(share === undefined ? step : `${step}, ${Math.min(99, Math.floor(share * 100))} %`);
  }).finally(() => show(''));
}
