import type { Defence } from '../defence.ts';

const testFile = 'server/customers/routes.test.ts';

export const customersDefences: readonly Defence[] = [
  {
    name: 'a block ends the sessions of the customer',
    file: 'server/customers/customers.ts',
    find: 'if (isBlocked) await endSessionsOfCustomer(db, id);',
    replace: '',
    project: 'SQLite',
    testFile,
    testName: 'is signed out, cannot sign in, and can again after the block',
  },
  {
    name: 'a sign-in finds a block that came first',
    file: 'server/sign-in/sessions.ts',
    find: 'if (blocked_at !== null || erased_at !== null) {',
    replace: 'if (erased_at !== null) {',
    project: 'PostgreSQL',
    testFile,
    testName: 'has no session left, however a sign-in and the block overlap',
  },
  {
    name: 'an erased customer is another one at the next sign-in',
    file: 'server/customers/erase-customer.ts',
    find: "issuer: '', sub: id, ",
    replace: '',
    project: 'SQLite',
    testFile,
    testName: 'is a new customer after the next sign-in, without the old orders',
  },
  {
    name: 'the sweep finishes an erasure that a crash has interrupted',
    file: 'server/customers/erase-customer.ts',
    find: 'else await finishErasure(db, { id, erasedAt });',
    replace: '',
    project: 'SQLite',
    testFile,
    testName: 'is erased by the next start when the process dies in the middle',
  },
  {
    name: 'SQLite overwrites deleted text',
    file: 'server/database/sqlite-file.ts',
    find: 'pragma secure_delete = on;',
    replace: '',
    project: 'SQLite',
    testFile,
    testName: 'leaves no trace in a table, in the files of SQLite, in the log or in an export',
  },
  {
    name: 'SQLite’s log is emptied after an erasure',
    file: 'server/customers/erase-customer.ts',
    find: '  await forgetDeletedText(db);\n  return orders;',
    replace: '  return orders;',
    project: 'SQLite',
    testFile,
    testName: 'leaves no trace in a table, in the files of SQLite, in the log or in an export',
  },
];
