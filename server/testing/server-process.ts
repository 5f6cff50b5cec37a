/** A server as a separate process, such as the store: started, awaited until it responds, stopped or killed. */

import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { paths } from '../../contract/paths.ts';
import { findFreePort } from './free-ports.ts';

export type ServerOptions = {
  /** The program to run. Unset: this Node. */
  program?: string;
  /** For this Node: its flags and the file to run; otherwise the program's arguments. */
  nodeArguments: readonly string[];
  /** The process also inherits the variables of {@link inheritedNames}, and no others. */
  environment: Settings;
  port: number;
  /** The server is ready once `GET` of this path has a 2xx response. */
  readyPath: string;
  workingFolder?: string;
  /** Standard output and standard error are appended to this file. Unset: they are recorded in memory. */
  logFile?: string;
  /** True to detach the process, so that the terminal's Ctrl-C does not reach it. */
  isDetached?: boolean;
};
type Settings = Readonly<Record<string, string>>;

/** How a process ended, as node:child_process reports it. */
export type ExitStatus = { exitCode: number | null; signal: NodeJS.Signals | null };
export type ServerProcess = Awaited<ReturnType<typeof startServer>>;

export class ServerStartError extends Error {
  override name = 'ServerStartError';
  exitCode: number | null = null;
  stderr = '';
}

const startTimeoutMs = 60_000;

/** The process inherits no other variables: a store setting in the environment of a test must not reach it. */
const inheritedNames = [
  ...['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TZ', 'LD_LIBRARY_PATH', 'NODE_COMPILE_CACHE', 'SystemRoot'],
];

/**
 * @returns the process, when it is ready.
 * @throws {ServerStartError} when it ends before, or is not ready within a minute.
 */
export async function startServer(options: ServerOptions) {
  const { program = process.execPath, nodeArguments, port, readyPath, logFile } = options;
  const startedAt = performance.now();
  const log = logFile === undefined ? 'pipe' : openSync(logFile, 'a');
  const inherited = inheritedNames.map((name) => [name, process.env[name]]);
  const child = spawn(program, nodeArguments, {
    cwd: options.workingFolder,
    env: { ...Object.fromEntries(inherited), ...options.environment },
    stdio: ['ignore', log, log],
    detached: options.isDetached ?? false,
  });
  if (log !== 'pipe') closeSync(log);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  let hasEnded = false;
  const exit = new Promise<ExitStatus>((resolve, reject) => {
    child.on('error', reject);
    // `close` comes after `exit`, when all output has been read.
    child.on('close', (exitCode, signal) => resolve({ exitCode, signal }));
  }).finally(() => {
    hasEnded = true;
  });
  /** Sends a signal, unless the process has ended. @returns when it has ended. */
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return exit;
  };

  const origin = `http://127.0.0.1:${port}`;
  const responds = () =>
    fetch(origin + readyPath, { signal: AbortSignal.timeout(startTimeoutMs) }).then(
      (response) => response.text().then(() => response.ok),
      () => false,
    );
  while (!(await Promise.race([responds(), exit.then(() => false)]))) {
    if (hasEnded || performance.now() - startedAt > startTimeoutMs) {
      const reason = hasEnded ? 'ended while it started' : `was not ready in ${startTimeoutMs} ms`;
      const { exitCode } = await end('SIGKILL');
      const error = new ServerStartError(`The server ${reason}:\n${output.stdout}${output.stderr}`);
      throw Object.assign(error, { exitCode, stderr: output.stderr });
    }
    await pause(10);
  }
  return {
    port,
    origin,
    pid: child.pid ?? 0,
    /** The time from the start of the process to the first response of `readyPath`. */
    readyAfterMs: performance.now() - startedAt,
    /** The output of the process so far; empty with a `logFile`. */
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

const root = join(import.meta.dirname, '..', '..');

/** Settings of a store with an external provider, which no test contacts, so that no demo starts. */
export const externalProvider = {
  OIDC_ISSUER: 'http://localhost:1/',
  OIDC_CLIENT_ID: 'colophon',
  OIDC_CLIENT_SECRET: 'secret',
} as const;

/** True if the built store is used: it starts in two thirds of the time. It would read a `.env` in its folder. */
const program = process.env['STORE_IS_BUILT']
  ? { nodeArguments: [join(root, 'tools', 'serve.mjs')], workingFolder: tmpdir() }
  : { nodeArguments: [join(root, 'server', 'serve.ts')] };

/**
 * Starts the store, which needs the built pages.
 * @param settings as the store reads them from the environment; without `PORT` a free port is found.
 * @param options without `nodeArguments` it runs as `node server/serve.ts`, or its build.
 * @throws {ServerStartError} when the store does not start.
 */
export async function startStore(
  settings: Settings,
  options: Partial<Omit<ServerOptions, 'environment' | 'port'>> = {},
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
  settings: Settings,
): Promise<Pick<ServerStartError, 'exitCode' | 'stderr'>> {
  const store = await startStore(settings).catch((error: unknown) => {
    if (error instanceof ServerStartError) return error;
    throw error;
  });
  if (store instanceof ServerStartError) return { exitCode: store.exitCode, stderr: store.stderr };
  await store.kill();
  throw new Error('the store started');
}

/** The `nodeArguments` of `npm run serve`. */
export function serveArguments(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // The script begins with `node tools/node24.mjs`.
  const [, , ...nodeArguments]: string[] = scripts.serve.split(' ');
  return nodeArguments.map((argument) => (argument.startsWith('-') ? argument : join(root, argument)));
}
