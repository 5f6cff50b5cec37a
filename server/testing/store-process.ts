/** The real process of the store. It needs the built pages. */

import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { paths } from '../../contract/paths.ts';
import { findFreePort } from './free-ports.ts';
import { type ServerOptions, type ServerProcess, ServerStartError, startServer } from './server-process.ts';

const root = join(import.meta.dirname, '..', '..');

export type StoreProcessOptions = Partial<Omit<ServerOptions, 'environment' | 'port'>>;

/** Settings of a store with an external provider, which no test contacts: no demo is started. */
export const externalProvider = {
  OIDC_ISSUER: 'http://localhost:1/',
  OIDC_CLIENT_ID: 'colophon',
  OIDC_CLIENT_SECRET: 'secret',
} as const;

/** The runner of all tests has just built the store, which starts in two thirds of the time. It would read a `.env` in its folder. */
const program = process.env['STORE_IS_BUILT']
  ? { nodeArguments: [join(root, 'tools', 'serve.mjs')], workingFolder: tmpdir() }
  : { nodeArguments: [join(root, 'server', 'serve.ts')] };

/**
 * @param settings as the store reads them from the environment; without `PORT` a free port is found.
 * @param options without `nodeArguments` it runs as `node server/serve.ts`, or its build.
 * @throws {ServerStartError} when the store does not start.
 */
export async function startStore(
  settings: Readonly<Record<string, string>>,
  options: StoreProcessOptions = {},
): Promise<ServerProcess> {
  const port = settings['PORT'] === undefined ? await findFreePort() : Number(settings['PORT']);
  return await startServer({
    ...program,
    readyPath: paths.readiness,
    ...options,
    environment: { PORT: String(port), ...settings },
    port,
  });
}

/** Starts a store that must fail to start. @throws when it starts. */
export async function failToStartStore(
  settings: Readonly<Record<string, string>>,
): Promise<{ exitCode: number | null; stderr: string }> {
  try {
    const store = await startStore(settings);
    await store.kill();
  } catch (error) {
    if (error instanceof ServerStartError) return { exitCode: error.exitCode, stderr: error.stderr };
    throw error;
  }
  throw new Error('the store started');
}

/** The `nodeArguments` of `npm run serve`. */
export function serveArguments(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // The script begins with `node tools/node24.mjs`.
  const [, , ...nodeArguments]: string[] = scripts.serve.split(' ');
  return nodeArguments.map((argument) => (argument.startsWith('-') ? argument : join(root, argument)));
}
