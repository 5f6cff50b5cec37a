/** A command of `npm run shop`, as it is declared. */

import type { Readable, Writable } from 'node:stream';
import { StartError } from '../server/start-error.ts';
import type { Declaration, Options, Values } from '../tools/options.ts';

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

export type Command<Of extends Options = Options> = Declaration<Of> & {
  /** @returns the exit code; 0 if it returns nothing. */
  run(values: Values<Of>, io: Io, operands: readonly string[]): Promise<void> | Promise<number>;
};

/** Infers the types of the values. */
export const command = <Of extends Options>(declared: Command<Of>): Command => declared;

/** A mistake in the words of a command that its options alone do not tell; exit code 2. */
export class UsageError extends StartError {}
