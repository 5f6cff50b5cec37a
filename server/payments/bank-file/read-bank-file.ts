import { setImmediate as nextTurn } from 'node:timers/promises';
import { type BankEntry, unreadable } from './bank-entry.ts';
import { readBankCsv } from './read-bank-csv.ts';
import { readCamt } from './read-camt.ts';

/** The size of a part in characters. Visitors wait while it is read: some milliseconds. */
const chunkLength = 16 * 1024;

/** Reads the entries of a bank's file: a CAMT.053 statement, or CSV. @throws {Problem} BANK_FILE_UNREADABLE. */
export function readBankFile(file: Buffer): AsyncGenerator<BankEntry> {
  const start = file.toString('latin1', 0, 1_000).replace(/^ï»¿/, '').trimStart();
  if (start.startsWith('PK'))
    throw unreadable('This is a zip archive. Unpack it, and import each file in it.');
  if (start.startsWith('<'))
    return readCamt(chunksOf(decode(file, /encoding=["']([\w-]+)/.exec(start)?.[1])));
  return readBankCsv(decode(file), chunksOf);
}

/** Decodes UTF-8, or else Windows-1252, which German banks use for CSV. @param encoding that the file names, if it does. */
function decode(file: Buffer, encoding = 'utf-8'): string {
  try {
    return withoutNuls(new TextDecoder(encoding, { fatal: true }).decode(file));
  } catch {
    return withoutNuls(new TextDecoder('windows-1252').decode(file));
  }
}

/** PostgreSQL stores none. */
const withoutNuls = (text: string): string => text.replaceAll('\0', '');

async function* chunksOf(text: string): AsyncGenerator<string> {
  for (let start = 0; start < text.length; start += chunkLength) {
    yield text.slice(start, start + chunkLength);
    await nextTurn();
  }
}
