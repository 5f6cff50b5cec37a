import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const dockerfile = join(import.meta.dirname, '..', '..', 'deploy', 'Dockerfile');

/** @returns the instructions of the last stage of deploy/Dockerfile: pairs of an instruction and the rest of its line. */
export async function readLastStage(): Promise<[instruction: string, value: string][]> {
  const lines = (await readFile(dockerfile, 'utf8'))
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines
    .slice(lines.findLastIndex((line) => line.startsWith('FROM ')))
    .map((line) => [line.replace(/\s.*/, ''), line.replace(/^\S+\s+/, '')]);
}

export async function readImageEnvironment(): Promise<Record<string, string>> {
  const values = (await readLastStage()).filter(([instruction]) => instruction === 'ENV');
  return Object.assign({}, ...values.map(([, value]) => readPairs(value)));
}

const readPairs = (value: string) =>
  Object.fromEntries(value.split(/\s+/).map((pair) => pair.split(/=(.*)/s)));
