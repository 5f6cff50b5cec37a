/** Sequences of commands against the model of the shop (server/testing/model), in several processes. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import type { Failure } from '../../server/testing/model/sequences.ts';
import { createPostgresDatabase, startPostgres } from '../../server/testing/postgres-server.ts';
import type { Played, ToPlay } from './share.ts';

/** Sequences that a process plays: its clock only goes forward, by weeks, and a new process begins again in 2001. */
const sequencesOfProcess = 250;

/** `until`: no sequence begins after this time of `performance.now()`. */
export type Sequences = { firstSeed: number; count: number; jobs: number; shrinks: boolean; until?: number };

/**
 * Plays the sequences of consecutive seeds until one fails or the time is over.
 * @param root of the sources that are played.
 * @param onPlayed called after each sequence.
 * @returns the failure; undefined if each answer was the model's.
 */
export async function playSequences(
  { firstSeed, count, jobs, shrinks, until = Number.POSITIVE_INFINITY }: Sequences,
  { root, onPlayed }: { root: string; onPlayed?(count: number): void },
): Promise<Failure | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-prove-'));
  const [bundle, postgres] = await Promise.all([bundleShare(root), startPostgres()]);
  const children: ChildProcess[] = [];
  let next = firstSeed;
  let databases = 0;
  let played = 0;
  let failure: Failure | undefined;
  const isOver = () => failure !== undefined || next === firstSeed + count || performance.now() > until;

  const playShare = async () => {
    const own = mkdtempSync(join(folder, 'share-'));
    databases += 1;
    const url = await createPostgresDatabase(postgres.url, `prove_${databases}`);
    const child = fork(join(bundle, 'share.js'), [own, url], { cwd: root });
    children.push(child);
    const exit = once(child, 'exit');
    for (let place = 0; place < sequencesOfProcess && !isOver(); place += 1) {
      const toPlay: ToPlay = { seed: next, shrinks };
      next += 1;
      child.send(toPlay);
      const [answer]: unknown[] = await Promise.race([once(child, 'message'), exit]);
      if (failure) return;
      if (!answer || typeof answer !== 'object')
        throw new Error(`seed ${toPlay.seed}: its process ended with ${answer}`);
      played += 1;
      onPlayed?.(played);
      ({ failure } = answer as Played);
    }
    // The other processes are stopped too, because they may be shrinking a failure of their own.
    for (const one of failure ? children : [child]) one.kill();
    await exit;
  };
  try {
    await Promise.all(
      Array.from({ length: jobs }, async () => {
        while (!isOver()) await playShare();
      }),
    );
  } finally {
    // When one child has ended by itself, the others are still there.
    for (const child of children) child.kill();
    await postgres.stop();
    // The nodes of a child that was killed end a moment after it, and may write until then.
    for (const made of [folder, bundle]) rmSync(made, { recursive: true, force: true, maxRetries: 10 });
  }
  return failure;
}

/**
 * Bundles share.ts: a node starts in a third of the time that it takes from the sources.
 * @returns the folder of the bundle. It is beside the folders of the sources: the store finds its files from there.
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
