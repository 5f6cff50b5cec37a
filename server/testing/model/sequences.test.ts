/** The short form of `npm run prove`: sequences on SQLite and PostgreSQL at once. */

import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paths } from '../../../contract/paths.ts';
import { makeFolder } from '../ends-with-test.ts';
import type { ApiDescription } from '../schema-values.ts';
import { createStoreDatabase, examplesOf } from '../test-database.ts';
import { openTestStore, readJson } from '../test-store.ts';
import { allCommands } from './commands.ts';
import { Engine } from './engine.ts';
import { openNode, setClock } from './node.ts';
import { playSequence } from './sequences.ts';

const engines: Engine[] = [];
beforeAll(async () => {
  const database = await createStoreDatabase();
  const file = join(await makeFolder(), 'store.db');
  engines.push(new Engine('SQLite', `sqlite:${file}`, openNode));
  engines.push(new Engine('PostgreSQL', database.url, openNode));
  for (const engine of engines) await engine.start();
});
afterAll(async () => {
  for (const engine of engines) await engine.stop();
  // Other tests of this worker need the real clock.
  setClock(undefined);
});

/** The calls that are no command: those that need no shop, and those of pictures, which have a process of their own. */
const others = [
  ...['isAlive', 'isReady', 'readMetrics', 'recordVitals'],
  ...['findSecurityContact', 'readRobots', 'readManifest'],
  ...['uploadImage', 'findImageHostKey', 'findImage', 'findCard'],
  // The owner's pages concern no book, order or customer: shop-pages.test.ts has their journeys on both engines.
  ...['listPages', 'findPage', 'changePage'],
  // The two calls of a sign-in: engine.ts sends them when a person needs a session.
  ...['beginSignIn', 'finishSignIn'],
  // Without a provider of payments nothing can be paid: stripe.test.ts has one.
  ...['payOrder', 'comeBack', 'hearOfPayment'],
];

test('each call of the API and of the desk is a command of the model', async () => {
  const store = await openTestStore();
  const description = await readJson<ApiDescription>(await store.call(paths.openApi));
  const operations = Object.values(description.paths).flatMap((methods) => Object.values(methods));

  const described = operations.map(({ operationId }) => operationId);
  const known = new Set([...others, ...allCommands.map(({ operation }) => operation)]);

  expect(described.filter((operation) => !known.has(operation))).toEqual([]);
  expect(others.filter((operation) => !described.includes(operation))).toEqual([]);
});

test('whatever is done, in any order, both engines answer as the model', { timeout: 300_000 }, async () => {
  for (let seed = 1; seed <= examplesOf(120); seed += 1) {
    expect(await playSequence(engines, seed)).toBeUndefined();
  }
});
