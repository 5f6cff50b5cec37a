import { setImmediate as nextTurn } from 'node:timers/promises';
import { Problem } from '../../http/problems.ts';

export type BankEntry = {
  /** Its booking day, such as 2026-11-21, or as the file has it. */
  day: string;
  /** The bank's own id of it; empty where the file has none. */
  id: string;
  cents: number;
  /** ISO 4217; empty where the file has none. */
  currency: string;
  /** The texts that may have a reference, and the other party's name. */
  texts: readonly string[];
  /** `credit`: money that came, and is booked. `reversal`: money that came back to its sender, or was sent back to the shop. */
  kind: 'credit' | 'debit' | 'pending' | 'reversal' | 'unreadable';
};

export const unreadable = (detail: string): Problem => new Problem('BANK_FILE_UNREADABLE', { detail });

/** The size of a part in characters. Visitors wait while it is read: some milliseconds. */
const chunkLength = 16 * 1024;

export async function* chunksOf(text: string): AsyncGenerator<string> {
  for (let start = 0; start < text.length; start += chunkLength) {
    yield text.slice(start, start + chunkLength);
    await nextTurn();
  }
}
