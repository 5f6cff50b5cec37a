/** Some of the requests that `npm run fuzz` sends, to a store on each database. */

import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { responseFaults } from '../../server/testing/response-faults.ts';
import type { ApiDescription } from '../../server/testing/schema-values.ts';
import { openTestStore, readJson } from '../../server/testing/test-store.ts';
import { generatedRequests } from './requests.ts';
import { keepConnections, sendRequest } from './send-request.ts';
import { adminEmail, fillStore } from './store-contents.ts';

const publicUrl = new URL('http://localhost:3000');

test('every request gets a declared response or a problem with a known code', {
  timeout: 60_000,
}, async () => {
  const store = await openTestStore({
    settings: { publicUrl, adminEmails: [adminEmail], hasRateLimits: false },
  });
  onTestFinished(() => store.close());
  const agent = keepConnections(1);
  onTestFinished(() => agent.destroy());
  const description = await readJson<ApiDescription>(await store.call(paths.openApi));
  const contents = await fillStore(store.database.db, { books: 20, customers: 3 }, store.signIn);
  const findFaults = responseFaults(description, publicUrl.origin);

  const isAllowed = fc.asyncProperty(generatedRequests({ description, ...contents }), async (request) => {
    expect(findFaults(request, await sendRequest(store.origin, request, agent))).toEqual([]);
  });
  await fc.assert(isAllowed, { numRuns: 1_500 });
});
