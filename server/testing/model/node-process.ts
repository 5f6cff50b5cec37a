/** A node as a process, which sequences kill. Its argument is the `DATABASE_URL`; each message sets its clock. */

import { openNode } from './node.ts';

const node = await openNode(process.argv[2] ?? '');
process.on('message', async (now: number) => {
  await node.setClock(now);
  process.send?.('set');
});
// The parent process has ended: `error` comes if an answer cannot be sent, `disconnect` otherwise.
for (const event of ['disconnect', 'error']) process.on(event, () => process.exit());
process.send?.(node.origin);
