/** The tables of docs/reliability.md. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const page = join(import.meta.dirname, '..', '..', 'docs', 'reliability.md');

/** Cells: claim, attack, amount, result and command; or a planted fault, what found it, and how long that took. */
export type Row = readonly [string, string, string, string, string] | readonly [string, string, string];

/** Writes a row in place of the row with the same first cell. A new row goes to the end of the table that has as many columns. */
export function writeRow(row: Row): void {
  const text = readFileSync(page, 'utf8');
  const line = `| ${row.join(' | ')} |`;
  const lines = text.trimEnd().split('\n');
  const known = lines.findIndex((one) => one.startsWith(`| ${row[0]} |`));
  const last = lines.findLastIndex((one) => one.split(' | ').length === row.length);
  lines.splice(known >= 0 ? known : last + 1, known >= 0 ? 1 : 0, line);
  writeFileSync(page, `${lines.join('\n')}\n`);
}
