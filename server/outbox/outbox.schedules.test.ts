import { expect, vi } from 'vitest';
import { UnavailableError } from '../database/unavailable.ts';
import { openLog } from '../http/log.ts';
import { addDueOrders } from '../testing/due-orders.ts';
import { setUpMemoryDatabase } from '../testing/memory-database.ts';
import { onEverySchedule } from '../testing/schedules.ts';
import { DeliveryError } from './delivery-error.ts';

// Node's own timers: they must wait for the clock of the schedule.
vi.doMock('node:timers/promises', () => ({
  setTimeout: (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms)),
}));
const { openMailSender } = await import('../mail/mail.ts');
const { openWebhookSender } = await import('../webhooks/sender.ts');

const { run, openDb, direct } = setUpMemoryDatabase();
const ids = ['a', 'b', 'c'];
/** The end of a message's claim; null once the message is no longer due. */
const claimedUntil = (kind: string, orderId: string): number | null => {
  const { rows } = run('select due_at from outbox where kind = ? and order_id = ?', [kind, orderId]);
  return (rows as { due_at: number | null }[])[0]?.due_at ?? null;
};
const senders = { mail: ['receipt', 'notice'], webhooks: ['order.placed'] };

const never = new Promise<never>(() => {});
const log = openLog('silent');
const sender = {
  storeName: 'Colophon',
  timeZone: 'UTC',
  publicUrl: new URL('https://shop.example'),
  from: { name: '', address: 'shop@example.org' },
};

for (const sends of ['mail', 'webhooks'] as const) {
  onEverySchedule(
    `of several nodes one sends a message of the ${sends}, another one only when it failed or its claim is over, and each is sent in the end`,
    async ({ turn, happens, check, pick, play }) => {
      await addDueOrders(direct, ids, Date.now());
      let failuresLeft = 8;
      const fails = () => failuresLeft > 0 && pick(false, false, false, true) && failuresLeft-- > 0;
      /** The server answers before the end of its limit. */
      const within = async (ms: number, label: string) => {
        const limit = Promise.withResolvers<void>();
        const timer = setTimeout(limit.resolve, ms);
        await Promise.race([turn(label), limit.promise]);
        clearTimeout(timer);
      };
      type Attempt = { name: string; claimedUntil: number; hasFailed: boolean };
      const attempts: Attempt[] = [];
      const taken = new Set<string>();
      const openNode = (node: number) => {
        let isDead = false;
        const answerWithin = async (ms: number, label: string) => {
          await within(ms, `node ${node}: ${label}`);
          if (isDead) await never;
        };
        const db = openDb(async (execute) => {
          const lost = new UnavailableError('lost');
          await answerWithin(5_000, 'a statement');
          if (fails()) throw lost;
          const result = execute();
          if (fails()) throw lost;
          return result;
        });
        const send = async (kind: string, id: string) => {
          const name = `${kind} of ${id}`;
          const attempt = { name, claimedUntil: claimedUntil(kind, id) ?? 0, hasFailed: false };
          const isAllowed = (other: Attempt) =>
            other.name !== name || other.hasFailed || other.claimedUntil <= Date.now();
          check(() => expect(attempts.filter((other) => !isAllowed(other))).toEqual([]));
          attempts.push(attempt);
          await answerWithin(15_000, name);
          attempt.hasFailed = fails();
          if (attempt.hasFailed) throw new DeliveryError('server', { message: 'refused', code: '421' });
          taken.add(name);
        };
        // The claim of a dead node ends after some minutes.
        const parts = { db, log, times: { pollMs: 60_000 } };
        const close = () => {};
        if (sends === 'mail') {
          const transport = {
            async send({ messageId }: { messageId: string }) {
              const [, kind = '', id = ''] = /<(\w+)\.(\w+)@/.exec(messageId) ?? [];
              await send(kind, id);
            },
            checkLogin: async () => {},
            close,
          };
          openMailSender({ ...parts, sender, sendsUnverified: false, transport });
        } else {
          const tell = ({ body }: { body: string }) => {
            const { type, data } = JSON.parse(body);
            return send(type, data._id);
          };
          openWebhookSender({ ...parts, endpoint: { send: tell, close } });
        }
        return () => {
          isDead = true;
        };
      };
      const nodes = [1, 2].map(openNode);
      happens('a node dies', () => nodes[0]?.());

      const isDone = (kind: string) => ids.every((id) => claimedUntil(kind, id) === null);
      await play(() => senders[sends].every(isDone));

      expect(taken.size).toBe(senders[sends].length * ids.length);
    },
    { isSlow: true },
  );
}
