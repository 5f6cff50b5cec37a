import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void;

/**
 * @returns the bytes of V8's old objects. What was allocated since a full collection of garbage and is still wanted is among them, and what
 * old objects keep from minor collections.
 */
export function oldBytes(): number {
  // The second collection moves what has survived the first one to the old objects.
  for (let times = 0; times < 3; times += 1) collect({ type: 'minor' });
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? 0;
}
