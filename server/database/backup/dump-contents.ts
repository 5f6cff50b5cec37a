import type { AppliedMigration } from '../migrate.ts';
import { endOf, startProgram } from './postgres-programs.ts';

/** What a dump of PostgreSQL has: the number of rows of each table, and the migrations that made the tables. */
export type DumpContents = { rows: ReadonlyMap<string, number>; migrations: AppliedMigration[] };

const newline = 10;
/** Longer than the beginning of a line that matters here. */
const maxHead = 300;

/**
 * Reads a dump from its beginning to its end, as a restore does.
 * @param onBytes called with the number of bytes of its text that were read so far.
 * @throws {StartError} if it cannot be read.
 */
export async function readDump(file: string, onBytes: (bytes: number) => void): Promise<DumpContents> {
  const reading = startProgram('pg_restore', ['--file=-', file]);
  const rows = new Map<string, number>();
  const migrations: AppliedMigration[] = [];
  /** Of the COPY whose data the lines are. */
  let copy: { table: string; columns: string[] } | undefined;
  const readLine = (head: string): void => {
    if (!copy) {
      const [, name = '', columns = ''] = /^COPY (\S+) \((.*)\) FROM stdin;$/.exec(head) ?? [];
      if (name === '') return;
      copy = { table: name.slice(name.lastIndexOf('.') + 1), columns: columns.split(', ') };
      rows.set(copy.table, 0);
    } else if (head === '\\.') {
      copy = undefined;
    } else {
      rows.set(copy.table, (rows.get(copy.table) ?? 0) + 1);
      if (copy.table !== 'kysely_migration') return;
      const cells = head.split('\t');
      const cell = (column: string) => cells[copy?.columns.indexOf(column) ?? -1];
      const fingerprint = cell('fingerprint');
      migrations.push({
        name: cell('name') ?? '',
        fingerprint: fingerprint === undefined || fingerprint === '\\N' ? null : fingerprint,
      });
    }
  };

  let head = '';
  let bytes = 0;
  for await (const chunk of reading.stdout as AsyncIterable<Buffer>) {
    for (let start = 0; start < chunk.length; ) {
      const found = chunk.indexOf(newline, start);
      const end = found < 0 ? chunk.length : found;
      if (head.length < maxHead) head += chunk.toString('latin1', start, Math.min(end, start + maxHead));
      if (found >= 0) {
        readLine(head);
        head = '';
      }
      start = end + 1;
    }
    bytes += chunk.length;
    onBytes(bytes);
  }
  await endOf('pg_restore', reading);
  return { rows, migrations };
}
