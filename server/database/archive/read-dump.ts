/** Reads the rows of a dump, and nothing else of it: its text is SQL, and the file may be another's. */

import { StartError } from '../../start-error.ts';
import { endOf, startProgram } from './programs.ts';

type DumpedTable = {
  schema: string;
  name: string;
  columns: readonly string[];
  /** PostgreSQL's name of the encoding of the rows. */
  encoding: string;
  /** As `copy` reads them. What is left unread is passed over. */
  rows: AsyncIterable<Buffer>;
};

const identifier = '(?:[a-z_][a-z0-9_]*|"(?:[^"]|"")+")';
const header = new RegExp(
  `^COPY (${identifier})\\.(${identifier}) \\((${identifier}(?:, ${identifier})*)\\) FROM stdin;$`,
);
const nameOf = (quoted: string): string => quoted.replace(/^"(.*)"$/, '$1').replaceAll('""', '"');

/** Lines that pg_restore writes around the rows. `\restrict` is for psql. */
const around = /^(?:--.*|SET .*;|SELECT pg_catalog\.(?:set_config|setval)\(.*\);|\\(?:un)?restrict \w+)?$/;

/** Ends the rows of a table. Rows have their backslashes doubled. */
const end = Buffer.from('\n\\.\n');
/** The longest lines outside the rows have the names of a table's columns. */
const maxLineBytes = 64 * 1024;

/** @param args more options of pg_restore. @throws {StartError} if the dump is damaged, or has more than rows. */
export async function* readDump(file: string, ...args: readonly string[]): AsyncGenerator<DumpedTable> {
  const reading = startProgram('pg_restore', ['--format=custom', '--data-only', '--file=-', ...args, file]);
  const chunks = reading.stdout[Symbol.asyncIterator]();
  let rest = Buffer.alloc(0);
  const readMore = async (): Promise<boolean> => {
    const { value, done } = await chunks.next();
    if (!done) rest = Buffer.concat([rest, value]);
    return !done;
  };
  /** Leaves the end of the line unread. */
  const readLine = async (): Promise<string> => {
    while (!rest.includes('\n') && rest.length < maxLineBytes && (await readMore()));
    const at = rest.includes('\n') ? rest.indexOf('\n') : rest.length;
    const line = rest.toString('utf8', 0, at);
    rest = rest.subarray(at);
    return line;
  };
  async function* readRows(): AsyncGenerator<Buffer> {
    // The first byte is the end of the header's line.
    for (let first = 1; ; first = 0) {
      while (rest.length < end.length && (await readMore()));
      const at = rest.indexOf(end);
      const until = at < 0 ? Math.max(rest.length - end.length + 1, 0) : at + 1;
      if (until > first) yield rest.subarray(first, until);
      rest = rest.subarray(until);
      if (at >= 0) break;
      if (!(await readMore())) {
        await endOf('pg_restore', reading);
        throw new StartError(`${file} is damaged: its end is missing.`);
      }
    }
    rest = rest.subarray(end.length - 1);
  }
  try {
    let encoding = 'UTF8';
    while (rest.length > 0 || (await readMore())) {
      const line = await readLine();
      const [, schema, name, columns] = header.exec(line) ?? [];
      if (schema !== undefined && name !== undefined && columns !== undefined) {
        const names = columns.match(new RegExp(identifier, 'g')) ?? [];
        const rows = readRows();
        yield { schema: nameOf(schema), name: nameOf(name), columns: names.map(nameOf), encoding, rows };
        for await (const _ of rows);
      } else if (around.test(line)) {
        encoding = /^SET client_encoding = '(\w+)';$/.exec(line)?.[1] ?? encoding;
        rest = rest.subarray(1);
      } else {
        throw new StartError(`${file} has more than the rows of a store: ${line.slice(0, 60)}`);
      }
    }
    await endOf('pg_restore', reading);
  } finally {
    reading.kill('SIGKILL');
  }
}
