import { expect, test } from 'vitest';
import { canWaitingHelp, isUnavailable } from './unavailable.ts';

/** Errors, grouped by their cause. */
type Faults = Record<string, object>;
/** @returns the causes of the errors for which the function says so. */
const those = (faults: Faults, isTrue: (error: Error) => boolean) =>
  Object.keys(faults).filter((name) => isTrue(Object.assign(new Error('refused'), faults[name])));

test('what the disk, the system or the database lacks makes it unavailable, and is no fault of the store', () => {
  const faults: Faults = {
    'a full disk': { code: 'ENOSPC', syscall: 'write' },
    'a full quota': { code: 'EDQUOT', syscall: 'open' },
    'too many open files': { code: 'EMFILE', syscall: 'open' },
    'too many open files of the system': { code: 'ENFILE', syscall: 'open' },
    'a wait for a lock exceeded lock_timeout': { code: '55P03' },
    'simultaneous transactions could not be serialized': { code: '40001' },
    'a deadlock was ended': { code: '40P01' },
    'the role may no longer connect': { code: '28000' },
    'the password was changed': { code: '28P01' },
    'the database was renamed': { code: '3D000' },
    'the database takes no connections': { code: '55000' },
    'the disk of the server fails': { code: '58030' },
  };

  expect(those(faults, isUnavailable)).toEqual(Object.keys(faults));
});

test('a start waits for a database for which waiting can help, and for no other', () => {
  const passing: Faults = {
    'the server refuses connections': { code: 'ECONNREFUSED' },
    'the name of the server is not known': { code: 'ENOTFOUND' },
    'the socket file of the server is not there': { code: 'ENOENT', syscall: 'connect' },
    'the server is starting': { code: '57P03' },
    'all connections are taken': { code: '53300' },
    'a pooler has no connection left': { code: '08P01', message: 'too many connections for role "a"' },
    'a standby has not taken over yet': { code: '25006' },
    'a statement waited too long for a lock': { code: '57014' },
    'a statement waited longer than lock_timeout': { code: '55P03' },
    'another transaction was in the way': { code: '40P01' },
    'another process has locked the SQLite file': { code: 'ERR_SQLITE_ERROR', errcode: 261 },
  };
  const lasting: Faults = {
    'the password is wrong': { code: '28P01' },
    'there is no such database': { code: '3D000' },
    'the disk of the server is full': { code: '53100' },
    'a certificate file is not there': { code: 'ENOENT', syscall: 'open' },
    'the SQLite file cannot be opened': { code: 'ERR_SQLITE_ERROR', errcode: 14 },
  };

  expect(those({ ...passing, ...lasting }, canWaitingHelp)).toEqual(Object.keys(passing));
});
