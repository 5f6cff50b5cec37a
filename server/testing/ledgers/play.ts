/** Purchases in shops that are processes, until the ledgers of one differ. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Compared } from './compare.ts';
import type { ToPlay } from './shop.ts';

/** Purchases in one shop, before it is emptied: a fault is found at the end of the first. */
const inShop = 100;

/** With it, the start of a node takes half the time. */
const compiled = join(import.meta.dirname, '../../../node_modules/.cache/colophon-tests');

/** `urls`: a database for each process. `count`: of all purchases. `onPlayed` gets how many were played so far. */
export type Purchases = {
  urls: readonly string[];
  count: number;
  firstSeed: number;
  onPlayed?(count: number): void;
};

/** @returns the sums of the other ledgers, and the anomalies. */
export async function playPurchases({ urls, count, firstSeed, onPlayed }: Purchases): Promise<Compared> {
  const sums: Compared = { came: 0, back: 0, anomalies: [] };
  let begun = 0;
  let played = 0;
  const children = urls.map((url, at) =>
    fork(new URL('./shop-process.ts', import.meta.url), [url, String(firstSeed + at)], {
      env: { NODE_COMPILE_CACHE: compiled, ...process.env },
    }),
  );
  try {
    await Promise.all(
      children.map(async (child) => {
        const exit = once(child, 'exit');
        const answer = async () => {
          const [answered]: unknown[] = await Promise.race([once(child, 'message'), exit]);
          if (typeof answered === 'number') throw new Error(`the process of a shop ended with ${answered}`);
          return answered;
        };
        await answer();
        while (begun < count && sums.anomalies.length === 0) {
          const toPlay: ToPlay = { count: Math.min(inShop, count - begun), kills: 1 };
          begun += toPlay.count;
          child.send(toPlay);
          const { came, back, anomalies } = (await answer()) as Compared;
          sums.came += came;
          sums.back += back;
          sums.anomalies.push(...anomalies);
          played += toPlay.count;
          onPlayed?.(played);
        }
      }),
    );
    return sums;
  } finally {
    for (const child of children) child.kill();
  }
}
