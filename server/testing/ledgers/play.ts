/** Purchases in shops that are processes, until the ledgers of one differ. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Compared } from './compare.ts';
import type { ToPlay } from './shop.ts';

/** Purchases in one shop, before it is emptied: a fault is found at the end of the first. */
const inShop = 100;
/** With it, the start of a node takes half the time. */
const compiled = join(import.meta.dirname, '../../../node_modules/.cache/colophon-tests');

/** `urls`: a database for each process. `onPlayed` gets how many were played so far. */
export type Purchases = {
  urls: readonly string[];
  count: number;
  firstSeed: number;
  onPlayed?(count: number): void;
};

/** @returns the sums of the other ledgers, and the anomalies. */
export async function playPurchases({ urls, count, firstSeed, onPlayed }: Purchases): Promise<Compared> {
  const sums: Compared = { came: 0, back: 0, anomalies: [] };
  const env = { NODE_COMPILE_CACHE: compiled, ...process.env };
  const file = new URL('./shop-process.ts', import.meta.url);
  const shops = urls.map((url, at) => fork(file, [url, String(firstSeed + at)], { env }));
  let [begun, played] = [0, 0];
  const playIn = async (shop: ChildProcess) => {
    const exit = once(shop, 'exit');
    while (begun < count && sums.anomalies.length === 0) {
      const toPlay: ToPlay = { count: Math.min(inShop, count - begun), kills: 1 };
      begun += toPlay.count;
      shop.send(toPlay);
      const [answer]: (Compared | number)[] = await Promise.race([once(shop, 'message'), exit]);
      if (typeof answer !== 'object') throw new Error(`the process of a shop ended with ${answer}`);
      sums.came += answer.came;
      sums.back += answer.back;
      sums.anomalies.push(...answer.anomalies);
      played += toPlay.count;
      onPlayed?.(played);
    }
  };
  try {
    await Promise.all(shops.map(playIn));
    return sums;
  } finally {
    for (const shop of shops) shop.kill();
  }
}
