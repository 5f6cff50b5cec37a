/** Sequences of commands against the model of the shop (server/testing/model), in several processes. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import type { Failure } from '../../server/testing/model/sequences.ts';
import { createPostgresDatabase, startPostgres } from '../../server/testing/postgres-server.ts';
import type { Played } from './share.ts';

/** The clock of a process only goes forward, by weeks: a new process begins again. */
const sequencesOfProcess = 100;

/** `until`: no process begins after this time of `performance.now()`. */
export type Sequences = { firstSeed: number; count: number; jobs: number; shrinks: boolean; until?: number };

/**
 * Plays the sequences of consecutive seeds, until one fails or the time is over.
 * @param root of the sources that are played.
 * @param onPlayed called after each sequence.
 * @returns the failure; undefined if each answer was the model's.
 */
export async function playSequences(
  { firstSeed, count, jobs, shrinks, until = Number.POSITIVE_INFINITY }: Sequences,
  { root, onPlayed }: { root: string; onPlayed?(count: number): void },
): Promise<Failure | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-prove-'));
  const bundle = await bundleShare(root);
  const postgres = await startPostgres();
  const seeds = Array.from({ length: count }, (_, index) => firstSeed + index);
  const shares = Array.from({ length: Math.ceil(count / sequencesOfProcess) }, (_, index) =>
    seeds.slice(index * sequencesOfProcess, (index + 1) * sequencesOfProcess),
  );
  const queue = shares.entries();
  let failure: Failure | undefined;
  let played = 0;

  const playShare = async (index: number, share: readonly number[]) => {
    const own = mkdtempSync(join(folder, `${index}-`));
    const url = await createPostgresDatabase(postgres.url, `prove_${index}`);
    const args = [own, url, shrinks ? 'shrinks' : '', ...share.map(String)];
    const child = fork(join(bundle, 'share.js'), args, { cwd: root });
    child.on('message', (sequence: Played) => {
      played += 1;
      onPlayed?.(played);
      if (!sequence.failure) return;
      failure ??= sequence.failure;
      child.kill();
    });
    const [exitCode] = await once(child, 'exit');
    if (exitCode !== 0 && !failure)
      throw new Error(`the sequences from seed ${share[0]} on ended with ${exitCode}`);
  };
  try {
    await Promise.all(
      Array.from({ length: jobs }, async () => {
        for (const [index, share] of queue) {
          if (failure || performance.now() > until) return;
          await playShare(index, share);
        }
      }),
    );
  } finally {
    await postgres.stop();
    for (const made of [folder, bundle]) rmSync(made, { recursive: true, force: true });
  }
  return failure;
}

/**
 * Bundles what plays the sequences. A node that is started anew takes a third of the time that it takes from the sources.
 * @returns the folder, beside those of the sources: the store finds its files from there.
 */
async function bundleShare(root: string): Promise<string> {
  const outDir = mkdtempSync(join(root, '.prove-'));
  await build({
    root: join(root, 'server'),
    configFile: join(root, 'server/vite.config.ts'),
    logLevel: 'error',
    ssr: { external: ['vitest'] },
    build: {
      outDir,
      sourcemap: false,
      rolldownOptions: { input: { share: join(root, 'lab/prove/share.ts') } },
    },
  });
  return outDir;
}
