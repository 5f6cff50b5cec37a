import type { Defence } from '../defence.ts';

export const demoDefences: readonly Defence[] = [
  {
    name: 'a cover that an earlier version drew differently gets no width of the present drawing',
    file: 'server/demo/catalogue.ts',
    find: 'stored && drawn.equals(stored)',
    replace: 'stored && drawn',
    project: 'SQLite',
    testFile: 'server/demo/database.test.ts',
    testName: 'except where they show another drawing',
  },
  {
    name: 'the demo provider’s memory is bounded',
    file: 'server/demo/identity-memory.ts',
    find: 'if (this.size >= maxEntries && oldest !== undefined) this.delete(oldest);',
    replace: '',
    project: 'plain',
    testFile: 'server/demo/identity-memory.test.ts',
    testName: 'when there are more than 500',
  },
  {
    name: 'the demo provider takes forms from its own pages only',
    file: 'server/demo/identity-provider.ts',
    find: "if (!isFromOwnPage(context, issuer)) return reject(403, 'The form was sent from another site.');",
    replace: '',
    project: 'plain',
    testFile: 'server/demo/identity-provider.test.ts',
    testName: 'accepts a form from its own pages only',
  },
  {
    name: 'the demo provider reads small forms only',
    file: 'server/demo/identity-provider.ts',
    find: "if (!(request.length <= maxFormBytes)) return reject(413, 'The form holds too much.');",
    replace: '',
    project: 'plain',
    testFile: 'server/demo/identity-provider.test.ts',
    testName: 'and a form of more than 10 KB',
  },
  {
    name: 'the demo provider demands PKCE',
    file: 'server/demo/identity-provider.ts',
    find: 'pkce: { required: () => true }',
    replace: 'pkce: { required: () => false }',
    project: 'plain',
    testFile: 'server/demo/identity-provider.test.ts',
    testName: 'rejects a request without PKCE',
  },
];
