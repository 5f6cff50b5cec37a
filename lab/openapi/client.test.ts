import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { addBook } from '../../server/catalogue/books.ts';
import { emma, openTestStore } from '../../server/testing/test-store.ts';

const modules = join(import.meta.dirname, '..', 'node_modules');
const run = promisify(execFile);

const program = `
import createClient from 'openapi-fetch';
import type { paths } from './api.js';

declare const process: { argv: string[] };
const [, , baseUrl = '', cookie = ''] = process.argv;
const store = createClient<paths>({ baseUrl, headers: { cookie } });

const { data: books } = await store.GET('/books', { params: { query: { q: 'emma' } } });
const book = books?.[0];
if (!book) throw new Error('there is no book');
const { title, author, price } = book;
const time = new Date().toDateString();

const refused = await store.POST('/addOrder', { body: { title, author, price: price.value - 1, time } });
const code: 'PRICE_CHANGED' | undefined = refused.response.status === 409 && refused.error?.code === 'PRICE_CHANGED'
  ? refused.error.code : undefined;
// @ts-expect-error The types must refuse a price that is a text.
const unsent = () => store.POST('/addOrder', { body: { title, author, price: '12.99', time } });
// @ts-expect-error The types must refuse a code that the description lacks.
const isUnknown = refused.error?.code === 'NO_SUCH_CODE';

const { data: order } = await store.POST('/addOrder', { body: { title, author, price: price.value, time } });
console.log(JSON.stringify({ code, title: order?.title, price: order?.price }));
`;

test('a client that is generated from the description lists a book and buys it, with its types checked', async () => {
  const store = await openTestStore();
  await addBook(store.database.db, emma, null);
  mkdirSync(join(modules, '.cache'), { recursive: true });
  // The file is beside the packages, so that the program finds them.
  const folder = mkdtempSync(join(modules, '.cache', 'colophon-client-'));
  const [description, types, source] = ['openapi.json', 'api.d.ts', 'buy.ts'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(description, await (await store.call(paths.openApi)).text());
  writeFileSync(source, program);

  const generator = join(modules, 'openapi-typescript', 'bin', 'cli.js');
  await run(process.execPath, [generator, description, '-o', types]);
  const compiler = [join(modules, 'typescript', 'bin', 'tsc'), '--strict', '--skipLibCheck'];
  const target = ['--module', 'nodenext', '--target', 'es2023', '--typeRoots', folder, '--lib', 'es2023,dom'];
  const compiled = await run(process.execPath, [...compiler, ...target, '--rootDir', folder, source]).catch(
    ({ stdout }: { stdout: string }) => ({ stdout }),
  );
  expect(compiled.stdout).toBe('');
  const cookie = await store.signIn();
  const { stdout } = await run(process.execPath, [join(folder, 'buy.js'), store.origin, cookie]);

  expect(JSON.parse(stdout)).toEqual({ code: 'PRICE_CHANGED', title: 'Emma', price: 12.99 });
  rmSync(folder, { recursive: true });
}, 120_000);
