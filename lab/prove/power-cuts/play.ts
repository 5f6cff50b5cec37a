/** Power cuts in each kind of work of a shop. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Failure, playCuts, readRecording, record, type Work, works, writeRecording } from './cuts.ts';

/** `count`: for each kind of work. */
type PowerCuts = { firstSeed: number; count: number; only?: readonly Work[] };

/**
 * Records each kind of work and cuts the power in it, until a state of the disk has a fault.
 * @param root of the sources that work.
 * @param onPlayed called after each kind of work.
 * @returns the first failure. `recording`: the file of its recording, in `folder`, which is kept with the state of the disk.
 */
export async function playPowerCuts(
  { firstSeed, count, only = works }: PowerCuts,
  { root, onPlayed }: { root: string; onPlayed?(work: Work): void },
): Promise<(Failure & { recording: string; folder: string }) | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-power-cuts-'));
  let failure: Failure | undefined;
  try {
    for (const work of only) {
      const own = join(folder, work);
      mkdirSync(join(own, 'states'), { recursive: true });
      const recording = await record(work, own, root);
      failure = await playCuts(recording, join(own, 'states'), { firstSeed, count });
      if (failure) {
        const file = join(own, 'recording');
        writeRecording(file, recording);
        return { ...failure, recording: file, folder };
      }
      onPlayed?.(work);
    }
    return undefined;
  } finally {
    if (!failure) rmSync(folder, { recursive: true, force: true });
  }
}

/** Plays the cut of a seed again. */
export const playAgain = (file: string, seed: number): Promise<Failure | undefined> =>
  playCuts(readRecording(file), mkdtempSync(join(tmpdir(), 'colophon-power-cut-')), {
    firstSeed: seed,
    count: 1,
  });
