import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void;

/** @returns how many bytes V8's old objects take: what is still used, and what only a full collection of garbage would free. */
export function oldBytes(): number {
  // The second collection moves what has survived both to the old objects.
  for (let times = 0; times < 2; times += 1) collect({ type: 'minor' });
  const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space');
  if (!space) throw new Error('V8 has no old_space');
  return space.space_used_size;
}

/** @returns how many bytes the buffers take that are still used. */
export const bytesOfBuffers = (): number => memoryInUse().arrayBuffers;

/** @returns how many bytes the objects and texts take that are still used. */
export const bytesOfObjects = (): number => memoryInUse().heapUsed;

function memoryInUse(): NodeJS.MemoryUsage {
  // The first collection only finds the buffers of objects that are gone.
  for (let times = 0; times < 2; times += 1) collect();
  return process.memoryUsage();
}
