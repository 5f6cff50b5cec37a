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
  {
    name: 'metrics of limits begin at 0',
    file: 'server/operations/metrics.ts',
    find: '  for (const labels of limitCounters) refusals.inc(labels, 0);\n',
    replace: '',
    project: 'SQLite',
    testFile: 'server/testing/rate-limits.test.ts',
    testName: 'metrics count what each limit refused, from 0 on',
  },
  {
    name: 'a store that stops is not ready',
    file: 'server/operations/routes.ts',
    find: 'if (isStopping())',
    replace: 'if (false)',
    project: 'SQLite',
    testFile: 'server/testing/stop.test.ts',
    testName: 'during STOP_DELAY_MS the store is not ready',
  },
  {
    name: 'a store whose database takes no writes is not ready',
    file: 'server/operations/readiness.ts',
    find: '        if (resolvedFailures !== failures) await shareWrite();\n',
    replace: '',
    project: 'SQLite',
    testFile: 'server/testing/faults.test.ts',
    testName: 'while the database takes no writes',
  },
];
