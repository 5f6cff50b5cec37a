/** The section of reads: the store beside `node:http` alone, which sends copies of its bytes: the least cost. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { paths } from '../../contract/paths.ts';
import type { ServerProcess } from '../../server/testing/server-process.ts';
import { type Bench, fewBooks, newRow, rateTarget, type Section } from './bench.ts';
import { kind, type PlannedRequest } from './calls.ts';
import { engines, type FilledDatabase } from './databases.ts';
import type { BareResponse } from './limits/http-server.ts';
import { startLimit, startStores } from './processes.ts';
import { loadTable } from './tables.ts';
import { measureByWrk, send } from './wrk.ts';

type ReadCall = { name: string; status: 200 | 304; pathOf(database: FilledDatabase): string };

const calls: readonly ReadCall[] = [
  { name: '`GET /books`', status: 200, pathOf: () => paths.books },
  { name: '`GET /books`, 304', status: 304, pathOf: () => paths.books },
  {
    name: '`GET /book/{id}`',
    status: 200,
    pathOf: ({ newestBooks }) => paths.book(newestBooks[0]?.id ?? ''),
  },
];
const minOfBare = 0.65;

export async function measureReads(bench: Bench): Promise<Section> {
  const databases = await bench.fill(fewBooks);
  const stores = await startStores(bench, databases);
  const copies: BareResponse[] = [];
  for (const [index, { status, pathOf }] of calls.entries()) {
    const request = await requestOf(stores.SQLite, pathOf(databases.SQLite), status);
    copies.push({ path: `/${index}`, status, ...(await copyResponse(stores.SQLite, request, status)) });
  }
  const file = join(bench.folder, 'responses.json');
  writeFileSync(file, JSON.stringify(copies));
  const bare = await bench.start(startLimit('http-server.ts', { RESPONSES_FILE: file }));

  const tables = await Promise.all(
    calls.map(async ({ name, status, pathOf }, index) => {
      const row = (subject: string, server: ServerProcess, request: PlannedRequest) =>
        newRow(subject, (seconds) => measureByWrk(server, [kind([request], status)], { seconds }));
      const own = engines.map(async (engine) => {
        const request = await requestOf(stores[engine], pathOf(databases[engine]), status);
        return row(engine, stores[engine], request);
      });
      const limit = row('bare `node:http`', bare, { ...identity, path: `/${index}` });
      return { name, limit, own: await Promise.all(own) };
    }),
  );
  await bench.measure(
    'reads',
    tables.flatMap(({ limit, own }) => [limit, ...own]),
  );
  return {
    text: `## Reads\n\n${loadTable(
      tables.flatMap(({ name, limit, own }) =>
        [limit, ...own].map((row) => ({ ...row, name: `${name}: ${row.name}` })),
      ),
    )}`,
    targets: tables.flatMap(({ name, limit, own }) =>
      own.map((row) => rateTarget(`${name}: ${row.name} / ${limit.name}`, row, limit, minOfBare)),
    ),
  };
}

const identity = { headers: { 'accept-encoding': 'identity' } };

/** @returns the request; for a 304 it has the ETag that this server sends. */
async function requestOf(server: ServerProcess, path: string, status: number): Promise<PlannedRequest> {
  const request = { ...identity, path };
  if (status === 200) return request;
  const etag = (await send(server, request)).headers.get('etag') ?? '';
  return { path, headers: { ...identity.headers, 'if-none-match': etag } };
}

/** Without the headers that node:http adds to every response. */
async function copyResponse(server: ServerProcess, request: PlannedRequest, status: number) {
  const response = await send(server, request, status);
  const added = ['date', 'connection', 'keep-alive'];
  const headers = [...response.headers].filter(([name]) => !added.includes(name)).flat();
  return { headers, body: Buffer.from(await response.arrayBuffer()).toString('base64') };
}
