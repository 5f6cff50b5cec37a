/** Records the answers of all test stores in the file at `ANSWERS_FILE`, to find parts of `/openapi.json` that no test has seen. */

import { appendFileSync, readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { ApiDocument } from '../api-description/docs-page.ts';

/** Which routes this process has described. Settings decide which ones a store has. */
const describedRoutes = new Set<string>();

/** The lines that this process has already written, such as `described GET /book/{id} 200` or `answered GET /book/42 200`. */
const written = new Set<string>();

/** Records what the store describes, and each answer, even those from the response cache. */
export function recordAnswers(app: FastifyInstance, file: string | undefined): void {
  if (!file) return;
  const write = (line: string) => {
    if (!written.has(line)) appendFileSync(file, `${line}\n`);
    written.add(line);
  };
  // Describing a store takes longer than starting it, so each process describes a set of routes once.
  const routes = app.printRoutes();
  const { paths }: Pick<ApiDocument, 'paths'> = describedRoutes.has(routes)
    ? { paths: {} }
    : (app.swagger() as unknown as ApiDocument);
  describedRoutes.add(routes);
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { responses }] of Object.entries(methods)) {
      const statuses = Object.keys(responses).filter((one) => one !== 'default');
      for (const status of statuses) write(`described ${method.toUpperCase()} ${path} ${status}`);
    }
  }
  app.server.prependListener('request', ({ method, url = '' }, response) => {
    const path = decode(url.split('?', 1)[0] ?? '');
    response.on('finish', () => write(`answered ${method} ${path} ${response.statusCode}`));
  });
}

/** Letters of an address may be percent-encoded. */
const decode = (path: string): string =>
  path.replace(/%([46][1-9a-f]|[57][0-9a])/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));

/** Answers that tests see without a response on a connection: to an address that only an injected request has, and after long waits. */
const shownOtherwise: readonly string[] = [
  ...['GET /metrics 401', 'GET /metrics 403', 'GET /cards/{file} 503', 'POST /1/upload 408'],
  'POST /desk/api/books/import 408',
];

/** @returns what is described but was never answered, such as `GET /books 304`. */
export function unanswered(file: string): string[] {
  const lines = readFileSync(file, 'utf8');
  const described = new Set(lines.match(/(?<=^described ).+/gm));
  const isAnswered = (answer: string): boolean => {
    // `{id}` matches a part of a path.
    const pattern = answer.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/\\s]+');
    return new RegExp(`^answered ${pattern}$`, 'm').test(lines);
  };
  return [...described].filter((answer) => !isAnswered(answer) && !shownOtherwise.includes(answer)).sort();
}
