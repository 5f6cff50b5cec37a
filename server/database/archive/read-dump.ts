/** Reads the rows of a dump, and nothing else of it: its text is SQL, and the file may be another's. */

import { createInterface } from 'node:readline';
import { StartError } from '../../start-error.ts';
import type { TableRows } from './fill-postgres.ts';
import { endOf, startProgram } from './programs.ts';

/** Rows that are left unread are passed over. */
type DumpedTable = TableRows & { schema: string };

const identifier = '(?:[a-z_][a-z0-9_]*|"(?:[^"]|"")+")';
const header = new RegExp(
  `^COPY (${identifier})\\.(${identifier}) \\((${identifier}(?:, ${identifier})*)\\) FROM stdin;$`,
);
const nameOf = (quoted: string): string => quoted.replace(/^"(.*)"$/, '$1').replaceAll('""', '"');

/** Lines that pg_restore writes around the rows. `\restrict` is for psql. */
const around = /^(?:--.*|SET .*;|SELECT pg_catalog\.(?:set_config|setval)\(.*\);|\\(?:un)?restrict \w+)?$/;

/** @param args more options of pg_restore. @throws {StartError} if the dump is damaged, or has more than rows. */
export async function* readDump(file: string, ...args: readonly string[]): AsyncGenerator<DumpedTable> {
  const reading = startProgram('pg_restore', ['--format=custom', '--data-only', '--file=-', ...args, file]);
  // Each byte is a character: the rows may be in any encoding that has ASCII in it.
  const input = reading.stdout.setEncoding('latin1');
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]();
  async function* readRows(): AsyncGenerator<Buffer> {
    for (;;) {
      const { value: line, done } = await lines.next();
      if (done) {
        await endOf('pg_restore', reading);
        throw new StartError(`${file} is damaged: its end is missing.`);
      }
      // Rows have their backslashes doubled.
      if (line === '\\.') return;
      yield Buffer.from(`${line}\n`, 'latin1');
    }
  }
  try {
    let encoding = 'UTF8';
    for (;;) {
      const { value: line = '', done } = await lines.next();
      if (done) break;
      const [, schema, name, columns] = header.exec(line) ?? [];
      if (schema !== undefined && name !== undefined && columns !== undefined) {
        const names = columns.match(new RegExp(identifier, 'g')) ?? [];
        const rows = readRows();
        yield { schema: nameOf(schema), name: nameOf(name), columns: names.map(nameOf), encoding, rows };
        for await (const _ of rows);
      } else if (around.test(line)) {
        encoding = /^SET client_encoding = '(\w+)';$/.exec(line)?.[1] ?? encoding;
      } else {
        throw new StartError(`${file} has more than the rows of a store: ${line.slice(0, 60)}`);
      }
    }
    await endOf('pg_restore', reading);
  } finally {
    reading.kill('SIGKILL');
  }
}
