/** The tables that the runs write: the promises in docs/reliability.md, what played and what it found in results.md. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** Each begins below its heading. */
const tables = {
  promises: { page: 'docs/reliability.md', heading: '## Promises' },
  schedules: { page: 'lab/prove/results.md', heading: '## Schedules' },
  planted: { page: 'lab/prove/results.md', heading: '## Planted faults' },
} as const;

export type TableName = keyof typeof tables;

/** Writes a row in place of the row with the same first cell, or at the end of the table. */
export function writeRow(name: TableName, cells: readonly string[]): void {
  const { page, heading } = tables[name];
  const lines = readFileSync(join(root, page), 'utf8').split('\n');
  const first = lines.findIndex((line, at) => at > lines.indexOf(heading) && line.startsWith('|'));
  const end = lines.findIndex((line, at) => at > first && !line.startsWith('|'));
  const known = lines.findIndex((line, at) => at > first && at < end && line.startsWith(`| ${cells[0]} |`));
  lines.splice(known < 0 ? end : known, known < 0 ? 0 : 1, `| ${cells.join(' | ')} |`);
  writeFileSync(join(root, page), lines.join('\n'));
}
