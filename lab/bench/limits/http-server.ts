/** The limit of reads: `node:http` alone, sending prepared responses in the fastest way. */

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { paths } from '../../../contract/paths.ts';

export type BareResponse = {
  path: string;
  status: number;
  /** Names and values in turn, as `IncomingMessage.rawHeaders` has them: the fastest form for `writeHead`. */
  headers: readonly string[];
  /** In base64; empty for a 304. */
  body: string;
};

/** Each path has one response, so no header of a request is read. */
function serve(responses: readonly BareResponse[], port: number): void {
  const byPath = new Map(
    responses.map(({ path, status, headers, body }) => [
      path,
      // `end(undefined)` takes the path without a body.
      { status, headers: [...headers], body: body === '' ? undefined : Buffer.from(body, 'base64') },
    ]),
  );
  byPath.set(paths.health, { status: 200, headers: [], body: undefined });
  createServer((request, response) => {
    const prepared = byPath.get(request.url ?? '');
    if (prepared) response.writeHead(prepared.status, prepared.headers).end(prepared.body);
    else response.writeHead(404).end();
  }).listen(port, '127.0.0.1');
}

serve(JSON.parse(readFileSync(process.env['RESPONSES_FILE'] ?? '', 'utf8')), Number(process.env['PORT']));
