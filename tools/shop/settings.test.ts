import { expect, test } from 'vitest';
import { runScript } from '../test/run-script.ts';

test('settings check exits with 1 for a wrong setting, and with 2 for a wrong address', async () => {
  const check = (...args: string[]) =>
    runScript('shop', ['settings', 'check', ...args], { DATABASE_URL: 'sqlite:none/store.db', PORT: 'http' });

  const [wrong, misused] = await Promise.all([check('--json'), check('--send-test-mail', 'ada')]);

  expect(wrong).toMatchObject({ stderr: '', exitCode: 1 });
  expect(JSON.parse(wrong.stdout)).toMatchObject([
    { name: 'PORT', ok: false },
    { name: 'DATABASE_URL', ok: true },
    { name: 'OIDC_ISSUER', ok: true },
    { name: 'MAIL_URL', ok: true },
  ]);
  expect(misused).toMatchObject({ stdout: '', exitCode: 2 });
});
