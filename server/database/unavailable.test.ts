import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { isUnavailable } from './unavailable.ts';

test.skipIf(process.platform !== 'linux')('a full disk is no fault of the store', async () => {
  const error = await writeFile('/dev/full', 'a').catch((error: unknown) => error);

  expect(error).toMatchObject({ code: 'ENOSPC' });
  expect(isUnavailable(error)).toBe(true);
});

test.each(['EDQUOT', 'EMFILE', 'ENFILE'])('a system error %s is no fault of the store', (code) => {
  expect(isUnavailable(Object.assign(new Error(code), { code, syscall: 'open' }))).toBe(true);
});
