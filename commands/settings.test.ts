import { expect, test } from 'vitest';
import { runShop } from './testing/shop.ts';

test('settings check tells warnings from faults, and exits with 1 for a fault, with 2 for a wrong address', async () => {
  const settings = { DATABASE_URL: 'sqlite:none/store.db', RATE_LIMITS: 'off' };
  const check = (args: readonly string[], wrong: Readonly<Record<string, string>>) =>
    runShop(['settings', 'check', ...args], { ...settings, ...wrong });

  const [right, wrong, misused] = await Promise.all([
    check([], {}),
    check(['--json'], { PORT: 'http' }),
    check(['--send-test-mail', 'ada'], {}),
  ]);

  expect(right).toMatchObject({ stderr: '', exitCode: 0 });
  expect(right.stdout.match(/^\w+ +\w+/gm)).toEqual([
    'ok       DATABASE_URL',
    'ok       OIDC_ISSUER',
    'warning  RATE_LIMITS',
  ]);

  expect(wrong).toMatchObject({ stderr: '', exitCode: 1 });
  expect(JSON.parse(wrong.stdout)).toMatchObject([
    { name: 'PORT', ok: false },
    { name: 'DATABASE_URL', ok: true },
    { name: 'OIDC_ISSUER', ok: true },
  ]);
  expect(misused).toMatchObject({ stdout: '', exitCode: 2 });
});
