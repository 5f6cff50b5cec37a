/** Faults that are planted in a copy of the store, one after another: the sequences must find each. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeDefence } from '../../tools/defences/defences.ts';
import { copyTree } from '../../tools/defences/scratch-copy.ts';
import { playSequences, type Sequences } from './model.ts';

type Edit = { file: string; find: string; replace: string };
type Planted = { name: string; edits: readonly Edit[] };

/** @returns the faults of planted.txt. */
export function readPlanted(): Planted[] {
  const lines = readFileSync(join(import.meta.dirname, 'planted.txt'), 'utf8').split('\n');
  const planted: { name: string; edits: Edit[] }[] = [];
  for (const line of lines) {
    if (line === '' || line.startsWith('#')) continue;
    const [file = '', find = '', replace = ''] = line.trim().replace(/ \|$/, ' | ').split(' | ');
    if (line.startsWith(' ')) planted.at(-1)?.edits.push({ file, find, replace });
    else planted.push({ name: line, edits: [] });
  }
  return planted;
}

/** @returns a source with the fault. @throws where the code to replace is not there exactly once. */
export const plant = (source: string, { file, find, replace }: Edit): string =>
  removeDefence(source, {
    name: '',
    file,
    testFile: '',
    testName: '',
    project: '!PostgreSQL',
    find,
    replace,
  });

/**
 * Plants each fault in a copy, and plays sequences until one fails.
 * @param onFound `seconds`: undefined for a fault that none has found.
 */
export async function findPlanted(
  sequences: Sequences,
  onFound: (name: string, found: { seconds: number; played: number; reason: string } | undefined) => void,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-planted-'));
  try {
    const root = await copyTree(folder);
    for (const { name, edits } of readPlanted()) {
      const sources = edits.map(({ file }) => readFileSync(join(root, file), 'utf8'));
      for (const edit of edits) {
        const path = join(root, edit.file);
        writeFileSync(path, plant(readFileSync(path, 'utf8'), edit));
      }
      const startedAt = performance.now();
      let played = 0;
      const onPlayed = (count: number) => {
        played = count;
      };
      const failure = await playSequences(sequences, { root, onPlayed });
      const seconds = (performance.now() - startedAt) / 1000;
      onFound(name, failure && { seconds, played, reason: failure.reason });
      for (const [index, { file }] of edits.entries()) writeFileSync(join(root, file), sources[index] ?? '');
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
