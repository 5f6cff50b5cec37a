/** Reads the rows of a dump of PostgreSQL, as 0.1.0 made them, and nothing else of it: its text is SQL, and the file may be another's. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { StartError } from '../../start-error.ts';
import type { Row } from './copy-rows.ts';

export async function* readDump(
  file: string,
  ...args: readonly string[]
): AsyncGenerator<{ name: string; rows: Row[] }> {
  const options = ['--format=custom', '--data-only', '--file=-', ...args, file];
  const reading = spawn('pg_restore', options, { stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(reading, 'close');
  const errors = text(reading.stderr);
  // Each byte is a character: readline would end a line at some characters of Unicode too.
  const input = reading.stdout.setEncoding('latin1');
  let table: { name: string; columns: string[] } | undefined;
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (table === undefined) {
        const { name, list } = header.exec(line)?.groups ?? {};
        if (name === undefined || list === undefined) continue;
        table = { name, columns: list.replaceAll('"', '').split(', ') };
        yield { name, rows: [] };
      } else if (line === '\\.') {
        table = undefined;
      } else {
        const cells = line.split('\t');
        const row = table.columns.map((column, index) => [column, cellOf(cells[index], column)]);
        yield { name: table.name, rows: [Object.fromEntries(row)] };
      }
    }
    const [code] = await closed.catch(() => {
      throw new StartError(`${file} is a dump of PostgreSQL, and its pg_restore is not in PATH.`);
    });
    if (code !== 0) throw new StartError(`pg_restore failed (${(await errors).split('\n')[0]}).`);
  } finally {
    reading.kill('SIGKILL');
  }
}

const header = /^COPY \w+\.(?<name>\w+) \((?<list>.*)\) FROM stdin;$/;

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The files of images are the only bytes; `last_backup` has a number of that name. */
function cellOf(text: string | undefined, column: string): string | Buffer | null {
  if (text === undefined || text === '\\N') return null;
  const cell = text.replace(/\\(.)/g, (_, sign) => escapes[sign] ?? sign);
  if (column === 'bytes' && cell.startsWith('\\x')) return Buffer.from(cell.slice(2), 'hex');
  return utf8.decode(Buffer.from(cell, 'latin1'));
}
