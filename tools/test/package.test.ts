import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { paths, screens } from '../../contract/paths.ts';
import { cardPathOfAnyDay } from '../../server/images/cards.ts';
import { endsWithTest, makeFolder } from '../../server/testing/ends-with-test.ts';
import { findFreePort } from '../../server/testing/free-ports.ts';
import { copyServerPackages, permissiveLicences } from '../../server/testing/server-packages.ts';
import { externalProvider, startServer } from '../../server/testing/server-process.ts';
import { pages, server } from '../builds.ts';
import { pack } from '../pack.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const packageJson = JSON.parse(read('package.json'));

beforeAll(async () => {
  const built = await Promise.all([pages, server].map((build) => build.isCurrent() || build.make()));
  expect(built).toEqual([true, true]);
});

test('the packed store is built JavaScript, and a shop runs on it without a checkout', {
  timeout: 120_000,
}, async () => {
  const folder = await makeFolder();
  const modules = join(folder, 'node_modules');
  await copyServerPackages(modules);
  const { filename, files } = await pack(folder);
  await mkdir(join(modules, 'colophon'));
  const unpack = ['-xzf', join(folder, filename), '-C', join(modules, 'colophon'), '--strip-components=1'];
  await run('tar', unpack);
  const colophon = join(modules, 'colophon', 'tools', 'colophon.mjs');
  const port = await findFreePort();
  const serve = (environment: Readonly<Record<string, string>>) =>
    startServer({
      nodeArguments: [colophon, 'serve'],
      environment: { PORT: String(port), ...environment },
      port,
      readyPath: paths.readiness,
      workingFolder: folder,
    });
  const shop = (...words: string[]) =>
    run(process.execPath, [colophon, ...words], { cwd: folder, env: { PATH: process.env['PATH'] } });

  expect((await stat(join(folder, filename))).size).toBeLessThan(15_000_000);
  const names = files.map(({ path }) => path);
  expect(names.filter((name) => /\.ts$|\.test\./.test(name))).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(['deploy/haproxy.cfg', 'docs/install.md', 'CHANGELOG.md']));

  const unset = await serve({}).catch((error) => error);
  expect(unset).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/^OIDC_ISSUER: it is unset[\s\S]*\n {2}PUBLIC_URL: /),
  });
  const [example = ''] = /\S+\.env\.example/.exec(unset.stderr) ?? [];
  expect(await readFile(example, 'utf8')).toContain('OIDC_ISSUER=');

  const store = await serve(externalProvider);
  endsWithTest(store.stop);
  const get = (path: string) => fetch(store.origin + path);
  const getText = async (path: string) => (await get(path)).text();
  const book = 'Emma,Jane Austen,9.90,https://books.example/emma.png';
  await writeFile(join(folder, 'books.csv'), `title,author,price,image\n${book}\n`);
  const imported = JSON.parse((await shop('books', 'import', 'books.csv', '--json')).stdout);
  expect(imported).toMatchObject({ added: 1, errors: [] });
  expect(await getText(screens.home)).toContain('Emma');
  // The bundle has a text that the sources keep in a file, and an image worker.
  expect(await getText(paths.docs)).toContain('color-scheme');
  const [{ _id: id = '' } = {}] = JSON.parse(await getText(paths.books));
  const card = await get(cardPathOfAnyDay(id));
  const reason = card.ok ? '' : `${await card.text()}\n${store.stdout()}`;
  expect([card.status, card.headers.get('content-type'), reason]).toEqual([200, 'image/jpeg', '']);
  const [, version, commit = ''] = /^(\S+) \(commit (\S+)\)\n$/.exec((await shop('--version')).stdout) ?? [];
  expect(version).toBe(packageJson.version);
  // A copy of a checkout contains the build of that checkout.
  expect(commit).toMatch(existsSync(join(root, '.git')) ? /^[\da-f]{7,40}$/ : /^(?:[\da-f]{7,40}|unknown)$/);
  expect(await getText(paths.metrics)).toContain(
    `colophon_build_info{version="${version}",commit="${commit}",`,
  );
  expect({ ...(await store.stop()), stderr: store.stderr() }).toMatchObject({ exitCode: 0, stderr: '' });

  // The folder is as after an installation for another platform.
  await rm(join(modules, 'sharp'), { recursive: true });
  const lame = await serve(externalProvider);
  endsWithTest(lame.stop);
  await expect.poll(lame.stdout).toMatch(/pictures cannot be converted: Cannot find package 'sharp'/);
});

test('what the bundles have is a dependency with a permissive licence, and no tool of development', async () => {
  const licences = ['build/licences.md', 'dist/.vite/license.md'].map(read).join('\n');
  const bundled = [...licences.matchAll(/^## (\S+) - \S+ \((.+)\)$/gm)];
  const names = bundled.map(([, name = '']) => name);
  const { packages } = JSON.parse(read('package-lock.json'));
  const { dependencies, optionalDependencies } = packageJson;

  expect(bundled.filter(([, , licence = '']) => !permissiveLicences.includes(licence))).toEqual([]);
  expect(names.filter((name) => packages[`node_modules/${name}`]?.dev)).toEqual([]);
  // A server also installs sharp.
  expect(Object.keys(dependencies).filter((name) => !names.includes(name))).toEqual(['sharp']);
  const ofServer = JSON.parse(read('build/package.json'));
  expect(ofServer).toMatchObject({ name: 'colophon', type: 'module', optionalDependencies });
  expect([ofServer.dependencies, ofServer.devDependencies]).toEqual([
    { sharp: dependencies.sharp },
    undefined,
  ]);
  // Neither React's development version, which has an address for each warning, nor the reloading of `npm run dev` is in the pages.
  const manifest: Record<string, { file: string }> = JSON.parse(read('dist/.vite/manifest.json'));
  const scripts = Object.values(manifest).map(({ file }) => read(`dist/${file}`));
  expect(scripts.join('')).not.toMatch(/react\.dev\/link\/|fetch\([`'"]\/login/);
});
