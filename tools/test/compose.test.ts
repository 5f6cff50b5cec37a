import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readDatabaseSettings, readSettings } from '../../server/settings/settings.ts';
import { settingNames } from '../../server/settings/table.ts';
import { readImageEnvironment } from './dockerfile.ts';

const deploy = join(import.meta.dirname, '..', '..', 'deploy');
const read = (name: string) => readFileSync(join(deploy, name), 'utf8');

type Service = {
  env_file?: string[];
  environment: Record<string, string>;
  stop_grace_period?: string;
};

const text = read('compose.yaml');
const {
  services,
  networks,
}: {
  services: Record<string, Service>;
  networks: Record<string, { ipam: { config: { subnet: string }[] } }>;
} = parse(text, { merge: true });
const stores = Object.entries(services).filter(([name]) => name.startsWith('store-'));

/** The variables of deploy/.env as an operator fills it in. */
const filledIn = {
  SHOP_HOST: 'books.example',
  DATABASE_PASSWORD: 'a1b2c3',
  POSTGRES_PASSWORD: 'd4e5f6',
  OIDC_ISSUER: 'https://identity.example',
  OIDC_CLIENT_ID: 'colophon',
  OIDC_CLIENT_SECRET: 'secret',
  SHOP_EMAIL: 'service@books.example',
};

/** @returns the value with `${NAME}`, `${NAME:-default}` and `${NAME:?}` filled in as compose does. The last form needs its variable. */
function interpolate(value: string, variables: Readonly<Record<string, string>>): string {
  // A default may contain a variable, so the innermost are replaced first.
  const variable = /\$\{(\w+)(?::([-?])([^${}]*))?\}/g;
  const filled = value.replaceAll(variable, (_, name: string, kind: string, fallback) => {
    const found = variables[name] || (kind === '-' ? fallback : undefined);
    if (found === undefined) throw new Error(`${name} is missing`);
    return found;
  });
  return filled === value ? value : interpolate(filled, variables);
}

test('each store starts with what deploy/.env must have, gets every other setting of it, and has the time for its stop', async () => {
  const image = await readImageEnvironment();
  const environmentOf = ({ environment }: Service, file: Record<string, string>) => {
    const values = Object.entries(environment).map(([name, value]) => [name, interpolate(value, file)]);
    return { ...image, ...file, ...Object.fromEntries(values) };
  };
  const all = Object.fromEntries(settingNames.map((name) => [name, `${name} of the file`]));

  expect(stores.length).toBe(2);
  for (const [, service] of stores) {
    const environment = environmentOf(service, filledIn);
    expect(service.env_file).toEqual(['.env']);
    expect(readSettings(environment)).toMatchObject({
      identity: { mode: 'external' },
      database: { url: 'postgres://store:a1b2c3@database:5432/colophon' },
      trustedProxies: networks['shop']?.ipam.config.map(({ subnet }) => subnet),
    });
    expect(Object.values(environment)).not.toContain(filledIn.POSTGRES_PASSWORD);
    expect(environmentOf(service, { ...filledIn, ...all })).toMatchObject(all);
    const misspelt = environmentOf(service, { ...filledIn, SHOP_NOTES: 'x' });
    expect(() => readSettings(misspelt)).toThrow(/SHOP_NOTE meant/);
    // The longest stop takes ten seconds longer than the delay.
    const stopMs = Number(service.stop_grace_period?.replace(/s$/, '')) * 1_000;
    expect(stopMs).toBeGreaterThan(Number(environment['STOP_DELAY_MS']) + 10_000);
  }
  const [, upstream] = /^\s*reverse_proxy (.*) \{$/m.exec(read('Caddyfile')) ?? [];
  expect(upstream).toBe(stores.map(([name]) => `${name}:${image['PORT']}`).join(' '));
});

test('compose.env.example has each variable that compose.yaml needs, and else settings alone', () => {
  const names = Object.keys(parseEnv(read('compose.env.example').replaceAll(/^# (?=\w+=)/gm, '')));

  const needed = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name);
  expect(names).toEqual(expect.arrayContaining(needed));
  const known: readonly string[] = [...settingNames, ...needed];
  expect(names.filter((name) => !known.includes(name))).toEqual([]);
});

test('the backup has a database that it can read', () => {
  const url = interpolate(services['backup']?.environment['DATABASE_URL'] ?? '', filledIn);

  expect(readDatabaseSettings({ DATABASE_URL: url })).toMatchObject({ engine: 'postgres' });
});
