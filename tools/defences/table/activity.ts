import type { Defence } from '../defence.ts';

export const activityDefences: readonly Defence[] = [
  {
    name: 'the audit trail ends after 400 days',
    file: 'server/activity/activity.ts',
    find: '400 * 24',
    replace: '4 * 24',
    project: 'SQLite',
    testFile: 'server/activity/activity.test.ts',
    testName: 'an entry is kept for 400 days',
  },
  {
    name: 'the audit trail is kept for 400 days and no longer',
    file: 'server/activity/activity.ts',
    find: 'const retentionMs = 400 *',
    replace: 'const retentionMs = 4000 *',
    project: 'SQLite',
    testFile: 'server/activity/activity.test.ts',
    testName: 'an entry is kept for 400 days',
  },
  {
    name: 'the trail’s lines obey no control characters',
    file: 'tools/shop/printable.ts',
    find: ".replace(/\\p{Cc}/gu, '\\ufffd')",
    replace: '',
    project: 'plain',
    testFile: 'tools/shop/run.test.ts',
    testName: 'prints a line for each entry',
  },
];
