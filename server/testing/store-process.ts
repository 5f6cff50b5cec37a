/** The real process, as `node server/main.ts` starts it. Needs the built pages. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { settingNames } from '../settings.ts';
import { findFreePort } from './free-ports.ts';

const main = join(import.meta.dirname, '..', 'main.ts');

/** The environment without any of the store's settings that stand in it. */
const surroundings = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !(settingNames as readonly string[]).includes(name)),
);

export type StoreProcess = {
  origin: string;
  /** What it wrote to standard output up to now: its log, and that it is open. */
  said(): string;
  stop(): Promise<void>;
};

/** @throws when it ends instead, with what it said. */
export async function openStoreProcess(env: Readonly<Record<string, string>>): Promise<StoreProcess> {
  const port = env['PORT'] ?? String(await findFreePort());
  const { child, said, complained } = start({ PORT: port, ...env });
  const exit = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', () => said().includes(' is open: ') && resolve());
    exit.then(() => reject(new Error(`The store did not open:\n${said()}${complained()}`)), reject);
  });
  return {
    origin: `http://127.0.0.1:${port}`,
    said,
    async stop() {
      child.kill('SIGTERM');
      await exit;
    },
  };
}

/** For a start that must fail. */
export async function startInVain(
  env: Readonly<Record<string, string>>,
): Promise<{ exitCode: number | null; complained: string }> {
  const { child, complained } = start(env);
  // Should it open after all, its silence says so.
  child.stdout?.on('data', (text) => String(text).includes(' is open: ') && child.kill('SIGKILL'));
  const [exitCode] = await once(child, 'close');
  return { exitCode, complained: complained() };
}

function start(env: Readonly<Record<string, string>>): {
  child: ChildProcess;
  said(): string;
  complained(): string;
} {
  const child = spawn(process.execPath, [main], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...surroundings, ...env },
  });
  let said = '';
  let complained = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complained += text;
  });
  return { child, said: () => said, complained: () => complained };
}
