/** Nodes of the store, and the faults that strike them. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '../../../server/testing/free-ports.ts';
import { findProgram } from '../../../server/testing/programs.ts';
import type { ServerProcess } from '../../../server/testing/server-process.ts';
import { externalProvider, startStore } from '../../../server/testing/server-process.ts';
import { createMachine } from '../../rigs/machines.ts';

/** A fault that strikes a store while clients use it. */
export type Fault = {
  name: string;
  /** The part that the fault strikes. Two faults of the same part do not happen at once. */
  target: string;
  /** @returns a function that ends the fault. */
  strike(random: () => number): Promise<() => Promise<void>>;
};

export type StoreNode = { name: string; origin: string; faults: readonly Fault[]; stop(): Promise<unknown> };

/** A store that the clients use: nodes with one database. */
export type Rig = {
  engine: 'SQLite' | 'PostgreSQL';
  nodes: readonly StoreNode[];
  /** All faults, those of the nodes included. */
  faults: readonly Fault[];
  /** The faults that cannot be tried on this machine, each with its reason. */
  leftOut: readonly string[];
};

/** The longest time that a process stands still. */
export const longestPauseMs = 6_000;

/** The library of Debian's package faketime, which changes a process's clock. */
const fakeTime = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
const strace = findProgram('strace');
const slowSyncs = [
  ...['-D', '-f', '-qq', '--seccomp-bpf', '-o', '/dev/null'],
  ...['-e', 'trace=fsync,fdatasync', '-e', 'inject=fsync,fdatasync:delay_enter=50ms'],
];

/** @returns the faults of a node that cannot be tried on this machine, each with its reason. */
export const missingPrograms = (): string[] => [...(strace ? [] : ['a slow disk: strace is not installed'])];

/** @param folder gets the files of the node. @param settings in addition to its port. */
export async function startNode(
  folder: string,
  name: string,
  settings: Readonly<Record<string, string>>,
  { hasSlowDisk }: { hasSlowDisk: boolean },
): Promise<StoreNode> {
  const machine = createMachine(folder, name);
  const port = await findFreePort();
  const clock = join(machine.folder, 'clock');
  const setClock = (seconds: number) => writeFileSync(clock, `${seconds < 0 ? '' : '+'}${seconds}s\n`);
  setClock(0);
  const environment = {
    ...externalProvider,
    PORT: String(port),
    LOG_LEVEL: 'info',
    // All clients share one address.
    RATE_LIMITS: 'off',
    LD_PRELOAD: fakeTime,
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_CACHE_DURATION: '1',
    // Timers use the monotonic clock, which stays real.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    ...settings,
  };
  const start = async (isSlow = false): Promise<ServerProcess> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await startStore(environment, {
          workingFolder: machine.folder,
          logFile: machine.logFile,
          isDetached: true,
          ...(isSlow &&
            strace && {
              program: strace,
              nodeArguments: [
                ...slowSyncs,
                process.execPath,
                join(import.meta.dirname, '../../../server/serve.ts'),
              ],
            }),
        });
      } catch (error) {
        // The database may be unreachable for a while.
        if (tries === 5) throw error;
      }
    }
  };
  let current = await start();
  const restart = async (isSlow = false) => {
    current = await start(isSlow);
  };
  const fault = (name: string, strike: Fault['strike']): Fault => ({ name, target: machine.name, strike });
  return {
    name,
    origin: current.origin,
    stop: () => current.kill(),
    faults: [
      fault('kill of a node', async () => {
        await current.kill();
        return restart;
      }),
      fault('restart of a node', async () => {
        await current.stop();
        return restart;
      }),
      fault('pause of a node', async (random) => {
        process.kill(current.pid, 'SIGSTOP');
        await pause(random() * longestPauseMs);
        process.kill(current.pid, 'SIGCONT');
        return async () => {};
      }),
      fault('step of a clock', async (random) => {
        setClock(Math.round((random() - 0.5) * 120));
        return async () => setClock(0);
      }),
      ...(hasSlowDisk && strace
        ? [
            fault('slow disk', async () => {
              await current.stop();
              await restart(true);
              return async () => {
                await current.stop();
                await restart();
              };
            }),
          ]
        : []),
    ],
  };
}
