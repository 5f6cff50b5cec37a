/** The section of reads: the store beside servers that send copies of its bytes, which is the least cost, and beside Express. */

import { join } from 'node:path';
import { paths } from '../../contract/paths.ts';
import type { ServerProcess } from '../../server/testing/server-process.ts';
import { type Bench, fewBooks, newRow, type Row, rateTarget, type Section, type Target } from './bench.ts';
import { kind, type PlannedRequest } from './calls.ts';
import { send } from './client.ts';
import { engines, type FilledDatabase } from './databases.ts';
import { nginxProgram } from './limits/nginx.ts';
import { peerName, startBareServer, startFilledPeer, startNginx, startStores, storeOn } from './processes.ts';
import { grouped } from './progress.ts';
import { loadTable } from './tables.ts';
import { measureByWrk } from './wrk.ts';

const bareName = 'bare `node:http`';
const nginxName = 'nginx, one worker';

type ReadCall = {
  name: string;
  encoding: 'identity' | 'gzip';
  pathOf(database: FilledDatabase): string;
  isNotModified?: boolean;
  /** Targets for the store's rate, as multiples of another's. */
  minimums: Readonly<Record<string, number>>;
};

const listPath = () => paths.books;

const readCalls: readonly ReadCall[] = [
  {
    name: '`GET /books`, 100 books, identity',
    encoding: 'identity',
    pathOf: listPath,
    minimums: { [bareName]: 0.85, [peerName]: 12 },
  },
  {
    name: '`GET /books`, 100 books, gzip',
    encoding: 'gzip',
    pathOf: listPath,
    minimums: { [bareName]: 0.85, [peerName]: 12 },
  },
  {
    name: '`GET /books`, 304',
    encoding: 'identity',
    pathOf: listPath,
    isNotModified: true,
    minimums: { [bareName]: 0.75 },
  },
  {
    name: '`GET /book/{id}`',
    encoding: 'identity',
    pathOf: ({ newestBooks }) => paths.book(newestBooks[0]?.id ?? ''),
    minimums: { [bareName]: 0.8 },
  },
];

export async function measureReads(bench: Bench): Promise<Section> {
  const databases = await bench.fill(fewBooks);
  const stores = await startStores(bench, databases, 'reads');
  const copies = [];
  for (const call of readCalls) {
    const request = await requestOf(call, stores.SQLite, databases.SQLite);
    copies.push({ call, request, response: await copyResponse(stores.SQLite, request, statusOf(call)) });
  }
  const responses = copies.map(({ response }, index) => ({ ...response, path: `/${index}` }));
  const { folder } = bench.databases;
  const bare = await bench.start(startBareServer(responses, join(folder, 'bare.json')), `${bareName}, reads`);
  const nginx =
    nginxProgram &&
    (await bench.start(startNginx(nginxProgram, responses, join(folder, 'nginx')), `${nginxName}, reads`));
  const peer = await startFilledPeer(bench, databases.PostgreSQL, 'reads');
  /** A server without a database is a limit: it sends each copied response at a path of its own. */
  const subjects: { name: string; server: ServerProcess; database?: FilledDatabase }[] = [
    { name: bareName, server: bare },
    ...(nginx ? [{ name: nginxName, server: nginx }] : []),
    ...engines.map((engine) => ({
      name: storeOn(engine),
      server: stores[engine],
      database: databases[engine],
    })),
    { name: peerName, server: peer, database: databases.PostgreSQL },
  ];

  const tables: { call: ReadCall; bodyBytes: number; rows: Row[] }[] = [];
  for (const [index, { call, request, response }] of copies.entries()) {
    const rows: Row[] = [];
    for (const { name, server, database } of subjects) {
      const own = database ? await requestOf(call, server, database) : { ...request, path: `/${index}` };
      rows.push(newRow(name, (seconds) => measureByWrk(server, [kind([own], statusOf(call))], seconds)));
    }
    tables.push({ call, bodyBytes: Buffer.from(response.body, 'base64').length, rows });
  }
  await bench.measure(
    'reads',
    tables.flatMap(({ rows }) => rows),
  );
  return {
    title: 'Reads',
    text: tables
      .map(({ call, bodyBytes, rows }) => `${call.name} (${grouped(bodyBytes)} bytes)\n\n${loadTable(rows)}`)
      .join('\n\n'),
    targets: engines.flatMap((engine) =>
      tables.flatMap(({ call, rows }) => targetsOf(call, storeOn(engine), rows)),
    ),
  };
}

const statusOf = ({ isNotModified }: ReadCall): number => (isNotModified ? 304 : 200);

/** @returns the call's request; for a 304 it has the ETag that this server sends. */
async function requestOf(
  { pathOf, encoding, isNotModified }: ReadCall,
  { origin }: ServerProcess,
  database: FilledDatabase,
): Promise<PlannedRequest> {
  const path = pathOf(database);
  const headers = { 'accept-encoding': encoding };
  if (!isNotModified) return { path, headers };
  const { message } = await send(origin, { path, headers }, 200);
  return { path, headers: { ...headers, 'if-none-match': message.headers.etag ?? '' } };
}

/** @returns a response of the store, for the limits to send. */
async function copyResponse({ origin }: ServerProcess, request: PlannedRequest, status: number) {
  const { message, body } = await send(origin, request, status);
  return { status, headers: withoutConnectionHeaders(message.rawHeaders), body: body.toString('base64') };
}

/** Leaves out the headers that node:http adds to every response. @param headers names and values in turn. */
function withoutConnectionHeaders(headers: readonly string[]): string[] {
  const added = ['date', 'connection', 'keep-alive'];
  return headers.filter((_, index) => !added.includes((headers[index - (index % 2)] ?? '').toLowerCase()));
}

/** @param name the name of the store in the report. */
function targetsOf({ name: call, minimums }: ReadCall, name: string, rows: readonly Row[]): Target[] {
  const own = rows.find((row) => row.name === name);
  const others = rows.filter((row) => !row.name.startsWith('Colophon'));
  return others.flatMap((other) => (own ? rateTarget(call, own, other, minimums[other.name]) : []));
}
