/** Plays sequences in a process of its own. Arguments: an empty folder and the URL of a PostgreSQL database. Each message: a `ToPlay`. */

import { join } from 'node:path';
import { Engine } from '../../server/testing/model/engine.ts';
import { type OpenNode, openNode, openNodeProcess } from '../../server/testing/model/node.ts';
import { type Failure, playSequence } from '../../server/testing/model/sequences.ts';

/** One sequence in this many has nodes that are processes, which are killed. */
const killedOneOf = 20;
/** Weight of the command that kills a node, in these sequences. A request whose answer is lost kills its node too. */
const killings = 4;

export type ToPlay = { seed: number; shrinks: boolean };
/** The answer to a `ToPlay`. `failure`: undefined if the sequence passed. */
export type Played = { failure: Failure | undefined };

const [folder = '', postgresUrl = ''] = process.argv.slice(2);

async function openEngines(open: OpenNode): Promise<readonly Engine[]> {
  const engines = [
    new Engine('SQLite', `sqlite:${join(folder, 'store.db')}`, open),
    new Engine('PostgreSQL', postgresUrl, open),
  ];
  for (const engine of engines) await engine.start();
  return engines;
}

const opened = new Map<OpenNode, readonly Engine[]>();
process.on('message', async ({ seed, shrinks }: ToPlay) => {
  const isKilled = seed % killedOneOf === 0;
  const open = isKilled ? openNodeProcess : openNode;
  const engines = opened.get(open) ?? (await openEngines(open));
  opened.set(open, engines);
  const failure = await playSequence(engines, seed, { shrinks, ...(isKilled && { restarts: killings }) });
  const played: Played = { failure };
  process.send?.(played);
});
process.on('disconnect', () => process.exit());
