import { expect } from 'vitest';
import type { Db } from '../database/tables.ts';
import { UnavailableError } from '../database/unavailable.ts';
import { openPayments as openLedger, type Session } from '../demo/payments.ts';
import { openLog } from '../http/log.ts';
import { findOrder, lockOrder } from '../orders/orders.ts';
import { withdraw } from '../orders/withdrawal.ts';
import { addDueOrders } from '../testing/due-orders.ts';
import { setUpMemoryDatabase } from '../testing/memory-database.ts';
import { onEverySchedule } from '../testing/schedules.ts';
import { openPayments } from './open.ts';
import { insertPayments } from './payments.ts';
import type { Provider } from './providers.ts';
import { changePayment, findStanding, type Standing } from './standing.ts';
import { markPaid } from './transfers.ts';

const { run, openDb, direct } = setUpMemoryDatabase();
const [minuteMs, hourMs] = [60_000, 3_600_000];
const senders = { mail: false, webhooks: true };
const origin = 'https://pay.example/';

onEverySchedule(
  'in any order of clicks, payments, webhooks, sweeps, a mark and a withdrawal on two nodes, an order keeps its price once',
  async ({ turn, happens, pick, play }) => {
    for (const table of ['charges', 'payments']) run(`delete from ${table}`);
    await addDueOrders(direct, ['a'], Date.now());
    await insertPayments(direct, ['a'], { ways: ['demo'], days: 1 / 24 });
    const order = await findOrder(direct, 'jane', 'a');
    const calmAt = Date.now() + 3 * hourMs;
    let isOver = false;
    let failuresLeft = 8;
    const fails = () =>
      Date.now() < calmAt && failuresLeft > 0 && pick(false, false, false, true) && failuresLeft-- > 0;
    const call = async <Answer>(label: string, work: () => Answer): Promise<Answer> => {
      if (isOver) return work();
      await turn(label);
      if (fails()) throw new Error('the call is lost');
      const answer = work();
      await turn(`the answer of ${label}`);
      if (fails()) throw new Error('the answer is lost');
      return answer;
    };
    /** Buyers and owners live with a refusal and with a failure. */
    const tries = (label: string, work: () => Promise<unknown>) =>
      happens(label, () => work().catch(() => {}));
    const tell = () => {
      for (let times = pick(0, 1, 2); times > 0; times -= 1)
        tries('a webhook', () => pick(...nodes).settle(order.number, 'webhook'));
    };

    const ledger = openLedger({ origin, secretKey: '', webhookSecret: '', webhookUrl: '', onEvent: tell });
    const ask = (what: string, key: string, fields: Record<string, string>) => {
      const asked = { method: 'POST', path: `/v1/${what}`, fields: new URLSearchParams(fields) };
      const { status, json } = ledger.answer({ ...asked, bearer: '', key });
      if (status !== 200) throw new Error('the provider refuses');
      return json;
    };
    /** The ledger's ids are random: a key, which is the id here, plays the same again. */
    const sessions = new Map<string, Session>();
    const find = (id: string) => ledger.find(sessions.get(id)?.id ?? '');
    const provider: Provider = {
      name: 'demo',
      open: ({ cents }, { key, expiresAt }) =>
        call('open', () => {
          const money = { 'line_items[0][price_data][unit_amount]': String(cents) };
          const session = ask('checkout/sessions', key, { ...money, expires_at: String(expiresAt / 1000) });
          sessions.set(key, session as Session);
          return { id: key, url: origin + key, expiresAt };
        }),
      ask: (id, { currency }) =>
        call('ask', () => {
          const { status, payment_intent } = find(id);
          const money = { cents: payment_intent?.amount_received ?? 0, intent: null };
          const refundedCents = payment_intent?.latest_charge.amount_refunded ?? 0;
          const isOpen = status === 'open';
          return { id, currency, ...money, refundedCents, isOpen, url: isOpen ? origin + id : null };
        }),
      refund: ({ id }, cents, _payment, key) =>
        call('refund', () => {
          ask('refunds', key, { payment_intent: find(id).id, amount: String(cents) });
        }),
      idOf: async (body) => body,
    };
    const openNode = (db: Db) => {
      const settings = { payments: { ways: ['demo'], days: 1 }, publicUrl: new URL('https://shop.example') };
      const outbox = { senders, wake() {} };
      const parts = { db, settings, outbox, onShelfChanged() {}, log: openLog('silent') };
      return { db, ...openPayments(parts, [provider]) };
    };
    const openBusyNode = (node: number) =>
      openNode(
        openDb(async (execute) => {
          await turn(`node ${node}: a statement`);
          if (fails()) throw new UnavailableError('lost');
          return execute();
        }),
      );
    const nodes = [openBusyNode(1), openBusyNode(2)] as const;

    const byOwner = (label: string, work: (db: Db) => Promise<unknown>) => {
      const inOrder = async (db: Db) => {
        await lockOrder(db, 'a');
        await work(db);
      };
      tries(label, () =>
        pick(...nodes)
          .db.transaction()
          .execute(inOrder),
      );
    };
    for (const node of [...nodes, pick(...nodes)]) {
      tries('a click', async () => {
        const url = await node.pay(order, 'demo');
        tries('the buyer pays', async () => {
          ledger.pay(find(url.slice(origin.length)).id);
          tell();
        });
      });
      setInterval(() => void node.sweep(), 10 * minuteMs);
    }
    if (pick(true, false)) byOwner('a mark', (db) => changePayment(db, order.number, senders, markPaid));
    if (pick(true, false))
      byOwner('a withdrawal', (db) => withdraw(db, order, { by: 'shop', senders, now: Date.now() }));
    await play(() => Date.now() > calmAt + 2 * hourMs);
    isOver = true;
    await openNode(direct).settle(order.number, 'sweep');

    const { payment, charges } = (await findStanding(direct, order.number)) as Standing;
    const { cancelledAt, withdrawnAt } = await findOrder(direct, 'jane', 'a');
    const paid = [...ledger.sessions.values()].flatMap(({ payment_intent }) => payment_intent ?? []);
    const kept = paid.reduce(
      (sum, paid) => sum + paid.amount_received - paid.latest_charge.amount_refunded,
      0,
    );
    const payer = charges.find(({ id }) => id === payment.charge_id);
    const [told] = run("select sum(kind = 'order.paid') as paid from outbox").rows;
    expect({ state: payment.state, kept, told }).toEqual({
      state: payer ? 'paid' : 'expired',
      kept: payer?.way === 'demo' ? payer.cents : 0,
      told: { paid: payer ? 1 : 0 },
    });
    if (paid.length > 0) expect(cancelledAt).toBeNull();
    expect([payer, cancelledAt, withdrawnAt].some((one) => one ?? false)).toBe(true);
  },
  { isSlow: true },
);
