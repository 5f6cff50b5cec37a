import type { Defence } from '../defence.ts';

export const operationsDefences: readonly Defence[] = [
  {
    name: 'metrics name routes, not addresses',
    file: 'server/operations/metrics.ts',
    find: "request.routeOptions.url ?? 'none'",
    replace: 'request.url',
    project: 'SQLite',
    testFile: 'server/testing/app.test.ts',
    testName: 'count requests by route, not by address',
  },
];
