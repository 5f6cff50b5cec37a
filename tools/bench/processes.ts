/** The processes that are measured, each as it would run for its customers, and the one that measures. */

import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '../../server/testing/free-ports.ts';
import type { BareAnswer } from './limits/http-server.ts';
import type { Outcome, Plan } from './load.ts';

const root = join(import.meta.dirname, '..', '..');
const startWithinMs = 60_000;

export type Running = {
  port: number;
  pid: number;
  /** From the start of the process to its first good answer. */
  firstAnswerMs: number;
  stop(): Promise<void>;
};

/** What `npm run serve` hands on to Node: flags and a file. */
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const [, , ...serve]: string[] = scripts.serve.split(' ');

/**
 * The store as `npm run serve` starts it, with its log at `info` going to a file. It has a provider, so that no demo
 * runs; nobody signs in while it is measured.
 */
export async function startStore(databaseUrl: string, logFile: string): Promise<Running> {
  const port = await findFreePort();
  const log = openSync(logFile, 'a');
  return await start(port, () =>
    spawn(process.execPath, serve, {
      cwd: root,
      env: {
        ...environment(port, databaseUrl),
        OIDC_ISSUER: 'http://localhost:1',
        OIDC_CLIENT_ID: 'bench',
        OIDC_CLIENT_SECRET: 'bench',
      },
      stdio: ['ignore', log, log],
    }),
  );
}

export async function startPeer(databaseUrl: string): Promise<Running> {
  const port = await findFreePort();
  return await start(port, () =>
    spawn(process.execPath, ['tools/bench/peers/express-pg/server.ts'], {
      cwd: root,
      env: environment(port, databaseUrl),
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  );
}

export async function startBareServer(answers: readonly BareAnswer[]): Promise<Running> {
  const port = await findFreePort();
  const server = fork(join(import.meta.dirname, 'limits', 'http-server.ts'), {
    env: environment(port, ''),
  });
  server.send(answers);
  await once(server, 'message');
  return { port, pid: server.pid ?? 0, firstAnswerMs: Number.NaN, stop: () => end(server) };
}

/** Nothing of what the shell that starts the measurements has set reaches what is measured. */
const environment = (port: number, databaseUrl: string): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  NODE_ENV: 'production',
  PORT: String(port),
  DATABASE_URL: databaseUrl,
});

async function start(port: number, spawnIt: () => ChildProcess): Promise<Running> {
  const from = performance.now();
  const child = spawnIt();
  const exited = once(child, 'exit').then(() => {
    throw new Error('a server ended while it started');
  });
  exited.catch(() => {});
  const answered = (async () => {
    while (performance.now() - from < startWithinMs) {
      const answer = await fetch(`http://127.0.0.1:${port}/books`).catch(() => undefined);
      await answer?.arrayBuffer();
      if (answer?.ok) return performance.now() - from;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    throw new Error('a server did not answer in time');
  })();
  try {
    const firstAnswerMs = await Promise.race([answered, exited]);
    return { port, pid: child.pid ?? 0, firstAnswerMs, stop: () => end(child) };
  } catch (error) {
    await end(child);
    throw error;
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}

/** Sends the load that a plan describes, from a process of its own. @throws when anything but good answers came. */
export async function measure(plan: Plan): Promise<Outcome> {
  const load = fork(join(import.meta.dirname, 'load.ts'));
  const exit = once(load, 'exit').then(([code]) => {
    throw new Error(`the load ended with ${code}`);
  });
  exit.catch(() => {});
  load.send(plan);
  const [outcome]: [Outcome] = await Promise.race([once(load, 'message') as Promise<[Outcome]>, exit]);
  await exit.catch(() => {});
  if (outcome.failures > 0) {
    const path = plan.kinds[0]?.requests[0]?.path;
    throw new Error(`${outcome.failures} requests failed (${path}), the first with: ${outcome.firstFailure}`);
  }
  return outcome;
}
