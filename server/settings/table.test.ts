/** The table generates two files. After a change, `npm test -- server/settings/table.test.ts -u` writes them again. */

import { expect, test } from 'vitest';
import { readSettings } from './settings.ts';
import { secretNames, settingNames, settingRow } from './table.ts';

const root = '../..';
const rows = settingNames.map((name) => ({ name, ...settingRow(name) }));

/** @returns the text as comment lines, none wider than the code. */
const comment = (text: string): string => text.replace(/(?=\S)(.{1,116})(?:\s+|$)/g, '# $1\n');

test('.env.example has every setting with its default', async () => {
  const head =
    'Copy to .env and change what should differ. Each line shows the default. An empty setting counts as unset. ' +
    'A name that the store does not know is refused. A value with a # needs quotes. Each secret may be in a file instead, alone in one line: ' +
    `OIDC_CLIENT_SECRET_FILE names the file of OIDC_CLIENT_SECRET. The secrets are ${secretNames.join(', ')}.`;
  const blocks = rows.map((row) => `${comment(row.about)}# ${row.name}=${row.default ?? ''}\n`);

  await expect([comment(head), ...blocks].join('\n')).toMatchFileSnapshot(`${root}/.env.example`);
});

test('docs/settings.md has every setting with its default', async () => {
  const cell = (text: string): string => text.replaceAll('|', '\\|');
  const lines = rows.map(({ name, default: value, isSecret, about }) => {
    const meaning = isSecret ? `${about} A secret.` : about;
    return `| \`${name}\` | ${value ? `\`${value}\`` : ''} | ${cell(meaning)} |`;
  });
  const page = [
    '# Settings',
    '',
    'Set them in the environment or in `.env`. An empty one counts as unset. A secret can be in a file: `OIDC_CLIENT_SECRET_FILE` names that of',
    '`OIDC_CLIENT_SECRET`. If settings are wrong, the store does not start and names them all. Most shops need only those that',
    '[Install](install.md#2-settings) sets.',
    '',
    '| name | default | meaning |',
    '|---|---|---|',
    ...lines,
    '',
  ];

  await expect(page.join('\n')).toMatchFileSnapshot(`${root}/docs/settings.md`);
});

test('a setting with its default is as good as none', () => {
  const defaults = rows.map((row) => [row.name, row.default]);

  expect(readSettings(Object.fromEntries(defaults))).toEqual(readSettings({}));
});
