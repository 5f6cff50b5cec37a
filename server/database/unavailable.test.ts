import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { canWaitingHelp, isUnavailable } from './unavailable.ts';

test.skipIf(process.platform !== 'linux')('a full disk is no fault of the store', async () => {
  const error = await writeFile('/dev/full', 'a').catch((error: unknown) => error);

  expect(error).toMatchObject({ code: 'ENOSPC' });
  expect(isUnavailable(error)).toBe(true);
});

test.each(['EDQUOT', 'EMFILE', 'ENFILE'])('a system error %s is no fault of the store', (code) => {
  expect(isUnavailable(Object.assign(new Error(code), { code, syscall: 'open' }))).toBe(true);
});

test.each([
  ['a wait for a lock exceeded lock_timeout', '55P03'],
  ['simultaneous transactions could not be serialized', '40001'],
  ['a deadlock was ended', '40P01'],
  ['the role may no longer connect', '28000'],
  ['the password was changed', '28P01'],
  ['the database was renamed', '3D000'],
  ['the database takes no connections', '55000'],
])('%s: the database is unavailable, and the request is no fault', (_, code) => {
  expect(isUnavailable(Object.assign(new Error(code), { code }))).toBe(true);
});

test.each([
  ['the server refuses connections', { code: 'ECONNREFUSED' }],
  ['the name of the server is not known', { code: 'ENOTFOUND' }],
  ['the socket file of the server is not there', { code: 'ENOENT', syscall: 'connect' }],
  ['the server is starting', { code: '57P03' }],
  ['all connections are taken', { code: '53300' }],
  [
    'a pooler has no connection to the server left',
    { code: '08P01', message: 'too many connections for role "a"' },
  ],
  ['the direct address refuses connections', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) }],
  ['a standby has not taken over yet', { code: '25006' }],
  ['a statement waited too long for a lock', { code: '57014' }],
  ['a statement waited longer for a lock than lock_timeout', { code: '55P03' }],
  ['another transaction was in the way', { code: '40P01' }],
  ['another process has locked the SQLite file', { code: 'ERR_SQLITE_ERROR', errcode: 261 }],
])('waiting can help when %s', (_, properties) => {
  expect(canWaitingHelp(Object.assign(new Error('refused'), properties))).toBe(true);
});

test.each([
  ['the password is wrong', { code: '28P01' }],
  ['the password of a pooler is wrong', { code: '08P01', message: 'password authentication failed' }],
  ['there is no such database', { code: '3D000' }],
  ['the disk of the server is full', { code: '53100' }],
  ['a certificate file is not there', { code: 'ENOENT', syscall: 'open' }],
  ['the SQLite file cannot be opened', { code: 'ERR_SQLITE_ERROR', errcode: 14 }],
])('waiting cannot help when %s', (_, properties) => {
  expect(canWaitingHelp(Object.assign(new Error('refused'), properties))).toBe(false);
});
