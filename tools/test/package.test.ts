/** The one file that `npm run build -- --pack` makes, installed in an empty folder with the packages that it depends on. */

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { paths, screens } from '../../contract/paths.ts';
import { cardPathOfAnyDay } from '../../server/images/cards.ts';
import { endsWithTest, makeFolder } from '../../server/testing/ends-with-test.ts';
import { findFreePort } from '../../server/testing/free-ports.ts';
import { copyServerPackages, permissiveLicences } from '../../server/testing/server-packages.ts';
import { startServer } from '../../server/testing/server-process.ts';
import { externalProvider } from '../../server/testing/store-process.ts';
import { asciiOf } from '../../server/vite.config.ts';
import { pages, server } from '../builds.ts';
import { pack } from '../pack.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const maxBytes = 15_000_000;

beforeAll(async () => {
  const built = await Promise.all([pages, server].map((build) => build.isCurrent() || build.make()));
  expect(built).toEqual([true, true]);
});

/** Packs the build, and unpacks it where npm would install it. @returns the size of the file, and its names. */
async function install(folder: string): Promise<{ bytes: number; files: string[] }> {
  const modules = join(folder, 'node_modules');
  await copyServerPackages(modules);
  const { filename, files } = await pack(folder);
  await mkdir(join(modules, 'colophon'));
  const unpack = ['-xzf', join(folder, filename), '-C', join(modules, 'colophon'), '--strip-components=1'];
  await run('tar', unpack);
  return { bytes: (await stat(join(folder, filename))).size, files: files.map(({ path }) => path) };
}

test('a build is that of a shop, whatever NODE_ENV its caller has', async () => {
  const dist = join(root, 'dist');
  const manifest: Readonly<Record<string, { file: string }>> = JSON.parse(
    await readFile(join(dist, '.vite', 'manifest.json'), 'utf8'),
  );
  const scripts = Object.values(manifest).map(({ file }) => readFile(join(dist, file), 'utf8'));
  const text = (await Promise.all(scripts)).join('');

  expect(process.env['NODE_ENV']).toBe('test');
  expect(pages.isCurrent()).toBe(true);
  // React's development version has the address of each warning.
  expect(text).not.toContain('react.dev/link/');
  // `npm run dev` loads open pages again.
  expect(text).not.toMatch(/fetch\([`'"]\/login/);
});

test('the packed store is built JavaScript, and a shop runs on it without a checkout', {
  timeout: 120_000,
}, async () => {
  const folder = await makeFolder();
  const { bytes, files } = await install(folder);
  const colophon = join(folder, 'node_modules', 'colophon', 'tools', 'colophon.mjs');
  const port = await findFreePort();
  const call = (environment: Readonly<Record<string, string>>, ...words: string[]) => ({
    nodeArguments: [colophon, ...words],
    environment: { PORT: String(port), ...environment },
    port,
    readyPath: paths.readiness,
    workingFolder: folder,
  });
  const shop = async (...words: string[]) =>
    (await run(process.execPath, [colophon, ...words], { cwd: folder, env: { PATH: process.env['PATH'] } }))
      .stdout;

  const version = await shop('--version');
  const unset = await startServer(call({}, 'serve')).catch((error) => error);
  const store = await startServer(call(externalProvider, 'serve'));
  endsWithTest(() => store.stop());
  await writeFile(
    join(folder, 'books.csv'),
    'title,author,price,image\nEmma,Jane Austen,9.90,https://books.example/emma.png\n',
  );
  const imported = await shop('books', 'import', 'books.csv', '--json');
  const [book] = (await (await fetch(store.origin + paths.books)).json()) as { _id: string; title: string }[];
  const card = await fetch(store.origin + cardPathOfAnyDay(book?._id ?? ''));
  const description = await fetch(store.origin + paths.docs);
  const metrics = await (await fetch(store.origin + paths.metrics)).text();
  const page = await (await fetch(store.origin + screens.home)).text();
  const { exitCode } = await store.stop();

  expect(bytes).toBeLessThan(maxBytes);
  expect(files.filter((file) => /\.ts$|\.test\./.test(file))).toEqual([]);
  expect(files).toEqual(
    expect.arrayContaining(['deploy/haproxy.cfg', 'docs/one-machine.md', 'CHANGELOG.md']),
  );
  expect(unset).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/^OIDC_ISSUER: it is unset[\s\S]*\n {2}PUBLIC_URL: /),
  });
  const [example = ''] = /\S+\.env\.example/.exec(unset.stderr) ?? [];
  expect(await readFile(example, 'utf8')).toContain('OIDC_ISSUER=');
  const { version: released } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const [, named, commit] = /^(\S+) \(commit (\S+)\)\n$/.exec(version) ?? [];
  // A copy of a checkout has the build of that.
  const anyCommit = existsSync(join(root, '.git')) ? /^[\da-f]{7,40}$/ : /^(?:[\da-f]{7,40}|unknown)$/;
  expect([named, commit]).toEqual([released, expect.stringMatching(anyCommit)]);
  expect(metrics).toContain(`colophon_build_info{version="${released}",commit="${commit}",`);
  expect(JSON.parse(imported)).toMatchObject({ added: 1, errors: [] });
  expect(page).toContain('Emma');
  // An image worker, and a text that the sources keep in a file.
  expect([card.status, card.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  expect(await description.text()).toContain('font-family');
  expect({ exitCode, stderr: store.stderr() }).toEqual({ exitCode: 0, stderr: '' });

  // As after an installation for another platform.
  await rm(join(folder, 'node_modules', 'sharp'), { recursive: true });
  const lame = await startServer(call(externalProvider, 'serve'));
  endsWithTest(() => lame.stop());
  const fault = /pictures cannot be converted: Cannot find package 'sharp'/;
  await expect.poll(lame.stdout).toMatch(fault);
  const checks = await run(process.execPath, [colophon, 'settings', 'check'], { cwd: folder }).catch(
    (error) => error,
  );
  expect(checks).toMatchObject({ code: 1, stdout: expect.stringMatching(fault) });
  expect(lame.stderr()).toBe('');
});

test('an escape has the meaning of its character, or stops the build', () => {
  expect(asciiOf('"’😀" + /\\\\é/')).toBe(String.raw`"\u2019\ud83d\ude00" + /\\\u00e9/`);
  for (const code of [String.raw`/\é/`, String.raw`'\\\é'`, 'String.raw`é`'])
    expect(() => asciiOf(code)).toThrow('cannot be made ASCII');
});

/** The packages in the bundle of the server and in that of the pages, with their licences. */
async function readBundled(): Promise<[name: string, licence: string][]> {
  const texts = await Promise.all(
    ['build/licences.md', 'dist/.vite/license.md'].map((file) => readFile(join(root, file), 'utf8')),
  );
  return texts.flatMap((text) =>
    [...text.matchAll(/^## (\S+) - \S+ \((.+)\)$/gm)].map(([, name = '', licence = '']) => [name, licence]),
  );
}

test('every package in the bundles has a permissive licence, and its notice is there', async () => {
  const bundled = await readBundled();

  const names = bundled.map(([name]) => name);
  expect(names).toEqual(expect.arrayContaining(['fastify', 'kysely', 'pg', 'react-dom']));
  expect(bundled.filter(([, licence]) => !permissiveLicences.includes(licence))).toEqual([]);
});

test('what runs is a dependency: what the bundles have, and what a server installs beside them', async () => {
  const readJson = async (file: string) => JSON.parse(await readFile(join(root, file), 'utf8'));
  const { dependencies, optionalDependencies } = await readJson('package.json');
  const { packages } = await readJson('package-lock.json');
  const ofServer = await readJson('build/package.json');
  const bundled = (await readBundled()).map(([name]) => name);

  expect(ofServer).toMatchObject({ name: 'colophon', type: 'module', optionalDependencies });
  expect(ofServer.dependencies).toEqual({ sharp: dependencies.sharp });
  expect(ofServer).not.toHaveProperty('devDependencies');
  expect(Object.keys(dependencies).filter((name) => !bundled.includes(name))).toEqual(['sharp']);
  expect(bundled.filter((name) => packages[`node_modules/${name}`]?.dev)).toEqual([]);
});
