import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { nameWarnings } from '../../server/settings/reader.ts';
import { readDatabaseSettings, readSettings } from '../../server/settings/settings.ts';
import { settingNames } from '../../server/settings/table.ts';
import { makeFolder } from '../../server/testing/ends-with-test.ts';
import { createStoreDatabase } from '../../server/testing/test-database.ts';
import { readImageEnvironment } from './dockerfile.ts';

const deploy = join(import.meta.dirname, '..', '..', 'deploy');
const readDeploy = (name: string) => readFile(join(deploy, name), 'utf8');

type Service = {
  build?: { target?: string };
  entrypoint?: string[];
  command?: string[];
  env_file?: string[];
  environment: Record<string, string>;
  depends_on: string[] | Record<string, unknown>;
  networks: string[];
  volumes?: string[];
  stop_grace_period?: string;
};

let text: string;
let compose: {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  networks: Record<string, { ipam: { config: { subnet: string }[] } }>;
};
beforeAll(async () => {
  text = await readDeploy('compose.yaml');
  compose = parse(text, { merge: true });
});

const storesOf = ({ services }: typeof compose) =>
  Object.entries(services).filter(([name]) => name.startsWith('store-'));

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

/** @returns the value as compose fills in `${NAME}`, `${NAME:-default}` and `${NAME:?}`, whose variable must be there. */
function interpolate(value: string, variables: Readonly<Record<string, string>>): string {
  // A default may have a variable: the innermost come first.
  const filled = value.replaceAll(
    /\$\{(\w+)(?::([-?])([^${}]*))?\}/g,
    (_, name: string, kind: string, fallback) => {
      const found = variables[name] || (kind === '-' ? fallback : undefined);
      if (found === undefined) throw new Error(`${name} is missing`);
      return found;
    },
  );
  return filled === value ? value : interpolate(filled, variables);
}

/** @returns the environment that compose gives a service's container, of an image with another one. */
function environmentOf(
  { env_file: files = [], environment }: Service,
  image: Readonly<Record<string, string>>,
  file: Readonly<Record<string, string>>,
): Record<string, string> {
  expect(files).toEqual(['.env']);
  const values = Object.entries(environment).map(([name, value]) => [name, interpolate(value, file)]);
  return { ...image, ...file, ...Object.fromEntries(values) };
}

test('each store starts with what deploy/.env must have, as an ordinary role', async () => {
  const image = await readImageEnvironment();

  const stores = storesOf(compose);

  expect(stores.length).toBe(2);
  for (const [, service] of stores) {
    const environment = environmentOf(service, image, filledIn);
    const settings = readSettings(environment);
    expect(settings).toMatchObject({
      storeName: 'Colophon',
      identity: { mode: 'external' },
      mail: undefined,
      database: { url: 'postgres://store:a1b2c3@database:5432/colophon' },
    });
    expect(settings.trustedProxies).toEqual(
      compose.networks['shop']?.ipam.config.map(({ subnet }) => subnet),
    );
    expect(nameWarnings(environment)).toEqual([]);
    expect(Object.values(environment)).not.toContain(filledIn.POSTGRES_PASSWORD);
  }
});

test('every setting in deploy/.env arrives, and a name that is none is told', async () => {
  const image = await readImageEnvironment();
  const all = Object.fromEntries(settingNames.map((name) => [name, `${name} of the file`]));

  for (const [, service] of storesOf(compose)) {
    expect(environmentOf(service, image, { ...filledIn, ...all })).toMatchObject(all);
    const misspelt = environmentOf(service, image, { ...filledIn, SHOP_NOTES: 'x', WITHDRAWL_DAYS: '7' });
    expect(() => readSettings(misspelt)).toThrow(/SHOP_NOTE meant.*WITHDRAWAL_DAYS meant/s);
  }
});

test('a store has the time for its stop', () => {
  for (const [, { environment, stop_grace_period: period = '' }] of storesOf(compose)) {
    // The longest stop takes ten seconds more than the delay.
    expect(Number(period.replace(/s$/, '')) * 1_000).toBeGreaterThan(
      Number(interpolate(environment['STOP_DELAY_MS'] ?? '', {})) + 10_000,
    );
  }
});

test('compose.env.example has each variable that compose.yaml needs, and else settings alone', async () => {
  const example = (await readDeploy('compose.env.example')).replaceAll(/^# (?=\w+=)/gm, '');

  const names = Object.keys(parseEnv(example));

  const needed = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name);
  expect(names).toEqual(expect.arrayContaining(needed));
  const known: readonly string[] = [...settingNames, ...needed];
  expect(names.filter((name) => !known.includes(name))).toEqual([]);
});

test('services, volumes and networks that are named are there, and the proxy sends to the stores', async () => {
  const { services, volumes, networks } = compose;
  const { PORT: port } = await readImageEnvironment();

  for (const service of Object.values(services)) {
    const needed = Array.isArray(service.depends_on)
      ? service.depends_on
      : Object.keys(service.depends_on ?? {});
    expect(Object.keys(services)).toEqual(expect.arrayContaining(needed));
    expect(Object.keys(networks)).toEqual(expect.arrayContaining(service.networks));
    for (const volume of service.volumes ?? []) {
      const [source = ''] = volume.split(':');
      if (source.startsWith('.')) expect(await readDeploy(source)).not.toBe('');
      else expect(Object.keys(volumes)).toContain(source);
    }
  }
  const [, upstream = ''] = /^\s*reverse_proxy (.*) \{$/m.exec(await readDeploy('Caddyfile')) ?? [];
  expect(upstream.split(' ')).toEqual(storesOf(compose).map(([name]) => `${name}:${port}`));
});

test('the backup has the files of the store, a database that it can read, and makes a backup at its start', async () => {
  const { build, environment, entrypoint = [], command = [], volumes } = compose.services['backup'] ?? {};
  const stages = (await readDeploy('Dockerfile')).split(/^(?=FROM )/m);
  const stage = stages.find((text) => text.includes(` AS ${build?.target}\n`)) ?? '';
  const copied = (text: string) => text.match(/^COPY (?!--from=pages).*$/gm) ?? [];
  expect(copied(stage)).toEqual(expect.arrayContaining(copied(stages.at(-1) ?? '')));
  const url = interpolate(environment?.['DATABASE_URL'] ?? '', filledIn);
  expect(readDatabaseSettings({ DATABASE_URL: url })).toMatchObject({ engine: 'postgres' });
  expect(volumes).toEqual(['backups:/backups']);

  const folder = await makeFolder();
  const { url: DATABASE_URL } = await createStoreDatabase();
  const [program = '', ...args] = [...entrypoint, ...command];
  const PATH = [dirname(process.execPath), process.env['PATH']].join(delimiter);
  const child = spawn(
    program,
    args.map((text) => text.replace('/backups', folder)),
    { cwd: join(deploy, '..'), env: { PATH, DATABASE_URL }, detached: true },
  );
  const [line] = await once(child.stdout, 'data');
  process.kill(-(child.pid ?? 0), 'SIGKILL');
  await once(child, 'close');

  expect(String(line)).toContain('bytes');
  expect(await readdir(folder)).toContainEqual(expect.stringMatching(/^colophon-.*\.db$/));
});
