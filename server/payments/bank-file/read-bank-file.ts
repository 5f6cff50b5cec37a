import { type BankEntry, unreadable } from './bank-entry.ts';
import { readBankCsv } from './read-bank-csv.ts';
import { readCamt } from './read-camt.ts';

/** Reads the entries of a bank's file: a CAMT.053 statement, or CSV. @throws {Problem} BANK_FILE_UNREADABLE. */
export function readBankFile(file: Buffer): AsyncGenerator<BankEntry> {
  const text = decode(file);
  if (text.startsWith('PK'))
    throw unreadable('This is a zip archive. Unpack it, and import each file in it.');
  return text.trimStart().startsWith('<') ? readCamt(text) : readBankCsv(text);
}

/** Decodes UTF-16 by its mark, an encoding that XML names, UTF-8, or else Windows-1252, which German banks use for CSV. */
function decode(file: Buffer): string {
  const start = file.toString('latin1', 0, 200);
  const marked = { ÿþ: 'utf-16le', þÿ: 'utf-16be' }[start.slice(0, 2)];
  const encoding = marked ?? /^\W*<\?xml[^>]*encoding=["']([\w-]+)/.exec(start)?.[1] ?? 'utf-8';
  const read = (encoding: string) => new TextDecoder(encoding, { fatal: true }).decode(file);
  let text: string;
  try {
    text = read(encoding);
  } catch {
    text = read('windows-1252');
  }
  // PostgreSQL stores no NUL.
  return text.replaceAll('\0', '');
}
