/** The limit of reads: nothing but `node:http`, sending bytes that are there already. */

import { createServer, type OutgoingHttpHeaders } from 'node:http';

export type BareAnswer = { path: string; headers: OutgoingHttpHeaders; body: string };

/** @param answers the body as base64: by path, and the one answer to each. */
function serve(answers: readonly BareAnswer[], port: number): void {
  const byPath = new Map(
    answers.map(({ path, headers, body }) => [path, { headers, body: Buffer.from(body, 'base64') }]),
  );
  createServer((request, response) => {
    const answer = byPath.get(request.url ?? '');
    if (!answer) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, answer.headers).end(answer.body);
  }).listen(port, '127.0.0.1', () => process.send?.('open'));
}

process.once('message', (answers) => serve(answers as BareAnswer[], Number(process.env['PORT'])));
