import type { Defence } from '../defence.ts';

export const webDefences: readonly Defence[] = [
  {
    name: 'another image host gets no cookies',
    file: 'web/api/client.ts',
    find: "isStore ? 'include' : 'omit'",
    replace: "'include'",
    project: 'plain',
    testFile: 'web/api/client.test.ts',
    testName: 'an upload sends cookies to the store, and none to another host',
  },
  {
    name: 'another host’s refusal does not end the session',
    file: 'web/api/client.ts',
    find: 'isStore ? await readProblem(response) : new Error',
    replace: '!isStore ? await readProblem(response) : new Error',
    project: 'plain',
    testFile: 'web/api/client.test.ts',
    testName: 'a 401 from another host does not',
  },
  {
    name: 'a longer wait is not retried automatically',
    file: 'web/api/client.ts',
    find: ' && (retryAfterMsOf(error) ?? 0) <= maxRetryDelayMs',
    replace: '',
    project: 'plain',
    testFile: 'web/api/client.test.ts',
    testName: 'is repeated automatically',
  },
  {
    name: 'an empty page that is not the last one does not end a search',
    file: 'web/api/queries.ts',
    find: 'while (page.body.length === 0 && page.next)',
    replace: 'while (false)',
    project: 'plain',
    testFile: 'web/api/queries.test.ts',
    testName: 'a list whose first pages are empty begins with the first page that has books',
  },
];
