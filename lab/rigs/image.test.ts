import { execFile } from 'node:child_process';
import { chown, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findFreePort } from '../../server/testing/free-ports.ts';
import { unprivilegedAccount } from '../../server/testing/postgres-programs.ts';
import {
  externalProvider,
  type ServerOptions,
  ServerStartError,
  startServer,
} from '../../server/testing/server-process.ts';
import { type Image, makeImage } from './image.ts';

const runProgram = promisify(execFile);
const isLinux = process.platform === 'linux';

// The store starts twice, without a compile cache.
describe('the image of deploy/Dockerfile', { timeout: 60_000 }, () => {
  beforeEach(({ skip }) => skip(!isLinux, 'the image is for Linux'));

  const account = unprivilegedAccount();
  let parent: string;
  let data: string;
  let image: Image;
  beforeAll(async () => {
    if (!isLinux) return;
    parent = await mkdtemp(join(tmpdir(), 'colophon-test-'));
    await runProgram('chmod', ['755', parent]);
    image = await makeImage(parent);
    data = join(parent, 'data');
    await mkdir(data, { mode: 0o700 });
    if (account) await chown(data, account.uid, account.gid);
  });
  afterAll(async () => {
    if (!isLinux) return;
    await runProgram('chmod', ['-R', 'u+w', parent]);
    await rm(parent, { recursive: true });
  });

  /** The image's environment, with a port that is free and a database in the volume of this test. */
  const environmentOf = (port: number): Record<string, string> => ({
    ...image.environment,
    PATH: [image.programs, process.env['PATH']].join(delimiter),
    PORT: String(port),
    DATABASE_URL: image.environment['DATABASE_URL']?.replace('/data', data) ?? '',
    TMPDIR: image.environment['TMPDIR']?.replace('/data', data) ?? '',
  });
  /** @returns program and arguments that run this command as a user who may write to nothing but the volume and /tmp. */
  const asUser = ([program = '', ...args]: readonly string[]): [program: string, args: string[]] =>
    account
      ? [
          'setpriv',
          [
            `--reuid=${account.uid}`,
            `--regid=${account.gid}`,
            '--clear-groups',
            '--no-new-privs',
            program,
            ...args,
          ],
        ]
      : [program, args];
  const start = (port: number, settings: Record<string, string>, readyPath: ServerOptions['readyPath']) => {
    const [program, nodeArguments] = asUser(image.command);
    const environment = { ...environmentOf(port), ...settings };
    return startServer({ program, nodeArguments, environment, port, readyPath, workingFolder: image.folder });
  };
  const run = async (command: readonly string[], port: number) => {
    const [program, args] = asUser(command);
    const options = { cwd: image.folder, env: environmentOf(port) };
    return await runProgram(program, args, options).then(
      ({ stdout }) => ({ code: 0, stdout }),
      ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
    );
  };

  test('has all that the store and its commands need, and the health check tells whether it runs', async () => {
    const port = await findFreePort();
    const shop = { PUBLIC_URL: 'https://books.example', SHOP_EMAIL: 'service@books.example' };
    const settings = { ...externalProvider, ...shop };

    const store = await start(port, settings, '/readyz');
    const page = await fetch(`${store.origin}/`);
    const isHealthy = await run(image.healthCheck, port);
    const books = await run(['node', 'tools/shop.mjs', 'books', 'list', '--json'], port);
    const { exitCode } = await store.stop();

    expect(await page.text()).toContain('<div id="root">');
    expect(isHealthy.code).toBe(0);
    expect(books).toEqual({ code: 0, stdout: '[]\n' });
    expect({ exitCode, stderr: store.stderr() }).toEqual({ exitCode: 0, stderr: '' });
    expect((await run(image.healthCheck, port)).code).toBe(1);
  });

  test('writes to nothing but its volume', async () => {
    const { stdout } = await runProgram(...asUser(['find', parent, '-writable', '-not', '-type', 'l']));

    const inVolume = (path: string): boolean => `${path}/`.startsWith(`${data}/`);
    expect(
      stdout
        .trim()
        .split('\n')
        .filter((path) => !inVolume(path)),
    ).toEqual([]);
    const uploads = await run(['node', '--print', 'os.tmpdir()'], 0);
    expect(uploads.stdout.trim()).toBe(data);
  });

  test('has no development packages: without a provider the store says what is missing', async () => {
    const demo = { NODE_ENV: 'development', HOST: '127.0.0.1' };
    const { dependencies } = JSON.parse(await readFile(join(image.folder, 'package.json'), 'utf8'));

    const failure = await start(await findFreePort(), demo, '/readyz').catch((error) => error);

    expect(dependencies).not.toHaveProperty('oidc-provider');
    expect(failure).toBeInstanceOf(ServerStartError);
    expect({ exitCode: failure.exitCode, stderr: failure.stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(
        /^OIDC_ISSUER: it is unset, and the demo needs a checkout [\s\S]*\n {2}PUBLIC_URL: /,
      ),
    });
  });
});
