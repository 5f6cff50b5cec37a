/** A node of the store as a process, which is killed; it pays at the provider of the process that opens it. */

import { fork } from 'node:child_process';
import { once } from 'node:events';

export const providerKeys = { secretKey: 'sk_test_ledgers', webhookSecret: 'whsec_ledgers' };

export const paymentDays = 1;

/** A message to the process: a time to set its clock to, or a task. Its answer is `done`, or what has failed. */
export type ToNode = number | 'sweep' | 'forget';
export type LedgerNode = Awaited<ReturnType<typeof openLedgerNode>>;

/** @param url the database's. @param providerOrigin the payment provider's. */
export async function openLedgerNode(url: string, providerOrigin: string) {
  const child = fork(new URL('./node-process.ts', import.meta.url), [url, providerOrigin]);
  const exit = once(child, 'exit');
  const [origin]: unknown[] = await Promise.race([once(child, 'message'), exit]);
  if (typeof origin !== 'string') throw new Error(`a node did not start: ${origin}`);
  /** A node that is killed does not answer. */
  const tell = async (message: ToNode): Promise<void> => {
    if (!child.connected) return;
    child.send(message, () => {});
    const [answer] = await Promise.race([once(child, 'message'), exit]);
    if (typeof answer === 'string' && answer !== 'done') throw new Error(answer);
  };
  let last = Promise.resolve();
  const inTurn = (message: ToNode) => (last = last.then(() => tell(message)));
  return {
    origin,
    setClock: (now: number) => inTurn(now),
    sweep: () => inTurn('sweep'),
    forget: () => inTurn('forget'),
    async kill() {
      child.kill('SIGKILL');
      await exit;
    },
  };
}
