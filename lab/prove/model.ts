/** Sequences of commands against the model of the shop (server/testing/model), in several processes. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Failure } from '../../server/testing/model/sequences.ts';
import { createPostgresDatabase, startPostgres } from '../../server/testing/postgres-server.ts';
import type { Played } from './share.ts';

/** The clock of a process only goes forward, by weeks: a new process begins again. */
const sequencesOfProcess = 100;

export type Sequences = { firstSeed: number; count: number; jobs: number; shrinks: boolean };

/**
 * Plays the sequences of consecutive seeds, until one fails.
 * @param root of the sources that are played.
 * @param onPlayed called after each sequence.
 * @returns the failure; undefined if each answer was the model's.
 */
export async function playSequences(
  { firstSeed, count, jobs, shrinks }: Sequences,
  { root, onPlayed }: { root: string; onPlayed?(count: number): void },
): Promise<Failure | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-prove-'));
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
    const child = fork(join(root, 'lab/prove/share.ts'), args, { cwd: root });
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
        for (const [index, share] of queue) if (!failure) await playShare(index, share);
      }),
    );
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return failure;
}
