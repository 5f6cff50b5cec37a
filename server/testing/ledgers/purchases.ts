/** What buyers, the owner and the provider's dashboard do with purchases, in any order. */

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { deskPaths } from '../../../contract/desk/paths.ts';
import type { BankImport } from '../../../contract/desk/payments.ts';
import { centsToAmount } from '../../../contract/money.ts';
import { paths } from '../../../contract/paths.ts';
import { paymentPaths } from '../../../contract/payments.ts';
import { withdrawalPaths } from '../../../contract/withdrawal.ts';
import { dayMs } from '../../database/times.ts';
import { jsonOf, PaymentError } from '../../demo/payments.ts';
import { type Entry, fileOf } from './bank.ts';
import type { LedgerNode } from './node.ts';
import type { FaultyProvider } from './provider.ts';

export const endless = { title: 'Emma', author: 'Jane Austen', priceCents: 1299, copies: null };
export const scarce = { title: 'Persuasion', author: 'Jane Austen', priceCents: 950, copies: 5 };

export type Purchase = {
  book: typeof endless | typeof scarce;
  email: string;
  cookie: string;
  /** Undefined until it is placed. */
  order: { _id: string; number: string } | undefined;
  /** The providers' sessions whose pages the buyer knows, and when each was paid. */
  sessions: Map<string, number | undefined>;
  /** True if the owner may have marked it as paid. */
  isPaidByHand: boolean;
  /** True if the buyer has sent the whole amount by transfer. */
  isTransferred: boolean;
  /** True once the owner has asked for a refund that was not refused. */
  isRefundAsked: boolean;
  /** What was refunded in the provider's dashboard, by session. */
  dashboard: Map<string, number>;
};

export type World = {
  provider: FaultyProvider;
  bank: Entry[];
  nodes: LedgerNode[];
  random: () => number;
  now: number;
  ownerCookie: string;
  /** Answers that nobody should get. */
  wrong: string[];
  signIn(person: { sub: string; email: string }): Promise<string>;
};

export async function begin(world: World): Promise<Purchase> {
  const sub = randomUUID();
  const email = `${sub}@example.com`;
  return {
    book: world.random() < 0.1 ? scarce : endless,
    ...{
      email,
      cookie: await world.signIn({ sub, email }),
      order: undefined,
      ...{ isPaidByHand: false, isTransferred: false, isRefundAsked: false },
    },
    ...{ sessions: new Map(), dashboard: new Map() },
  };
}

type Sent = { cookie: string; json?: object; headers?: Record<string, string>; method?: string };
/** @returns undefined if the answer was lost. */
async function call(world: World, path: string, { cookie, json, headers, method = 'POST' }: Sent) {
  const node = world.nodes[Math.floor(world.random() * world.nodes.length)];
  try {
    const response = await fetch(`${node?.origin}${path}`, {
      method,
      headers: { ...headers, cookie, ...(json && { 'content-type': 'application/json' }) },
      body: json ? JSON.stringify(json) : null,
      redirect: 'manual',
    });
    const { status } = response;
    const text = await response.text();
    if (status === 500 || status === 401) world.wrong.push(`answer: ${path.slice(0, 12)} ${status} ${text}`);
    return { status, body: response.ok && /^[[{]/.test(text) ? JSON.parse(text) : {} };
  } catch {
    return undefined;
  }
}

type Act = (world: World, purchase: Purchase, orderId: string) => Promise<unknown>;

/** Does one thing with a purchase, at first its order. @param isHasty true if most buyers open the provider's page now. */
export async function act(
  world: World,
  purchase: Purchase,
  { isHasty }: { isHasty: boolean },
): Promise<void> {
  await pause(world.random() * 30);
  purchase.order ??= await place(world, purchase);
  if (!purchase.order) return;
  const { _id } = purchase.order;
  if (!isHasty || world.random() < 0.3) return void (await pick(world, acts)?.(world, purchase, _id));
  await open(world, purchase, _id);
  if (world.random() < 0.4) await pay(world, purchase, _id);
}

async function place(world: World, purchase: Purchase): Promise<Purchase['order']> {
  const { book, email, cookie } = purchase;
  const { title, author, priceCents } = book;
  const json = { title, author, price: centsToAmount(priceCents), email, time: new Date().toDateString() };
  const headers = { 'idempotency-key': email };
  for (let tries = 0; tries < 50; tries += 1) {
    const answer = await call(world, paths.addOrder, { cookie, json, headers });
    if (answer && answer.status < 500) return answer.status < 300 ? answer.body : undefined;
    await pause(50);
  }
  return undefined;
}

/** Opens a provider's page, in two tabs at once now and then, also of two providers. */
const open: Act = async (world, { cookie, sessions }, orderId) => {
  const openOne = async () => {
    const json = { with: pick(world, ['stripe', 'mollie']) };
    const answer = await call(world, paymentPaths.pay(orderId), { cookie, json });
    const [, name] = /\/pay\/(\w+)$/.exec(answer?.body.url ?? '') ?? [];
    if (name && !sessions.has(name)) sessions.set(name, undefined);
  };
  await Promise.all(world.random() < 0.3 ? [openOne(), openOne()] : [openOne()]);
};

const pick = <Value>({ random }: World, values: readonly Value[]): Value | undefined =>
  values[Math.floor(random() * values.length)];

/** @returns true if the provider allowed it. */
function isAllowed(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (error instanceof PaymentError) return false;
    throw error;
  }
}

const pay: Act = async (world, purchase, orderId) => {
  const { payments, deliver } = world.provider;
  const name = pick(world, [...purchase.sessions.keys()]);
  if (!name || !isAllowed(() => deliver(payments.pay(name)))) return;
  purchase.sessions.set(name, world.now);
  if (world.random() < 0.5) await comeBack(world, purchase, orderId);
};

const comeBack: Act = async (world, { cookie, sessions }) => {
  const name = pick(world, [...sessions.keys()]);
  const address = name && world.provider.payments.sessions.get(name)?.success_url;
  if (!address) return;
  const { pathname, search } = new URL(address.replaceAll('{CHECKOUT_SESSION_ID}', name));
  await call(world, pathname + search, { cookie, method: 'GET' });
};

/** The buyer withdraws, and may pay all the same on a page that is still open. */
const withdraw: Act = async (world, purchase, orderId) => {
  await call(world, withdrawalPaths.order(orderId), { cookie: purchase.cookie, json: {} });
  if (world.random() < 0.4) await pay(world, purchase, orderId);
  if (world.random() < 0.5) await askRefund(world, purchase, orderId);
};

/** The buyer sends the amount, too little, too much, or twice, or forgets the number; a bank may send it back. */
const transfer: Act = async ({ bank, random, now }, purchase) => {
  const luck = random();
  const { priceCents } = purchase.book;
  const cents = priceCents + (luck < 0.1 ? -50 : luck < 0.2 ? 50 : 0);
  const reference = luck > 0.95 ? '' : (purchase.order?.number ?? '');
  // Some banks show a transfer hours before they book it.
  const bookedAt = now + (random() < 0.2 ? Math.floor(random() * dayMs) : 0);
  bank.push({ reference, cents, bookedAt });
  if (random() < 0.15) bank.push({ reference, cents, bookedAt });
  if (random() < 0.15) bank.push({ reference, cents: -cents, bookedAt });
  purchase.isTransferred ||= cents === priceCents && reference !== '';
};

/** @param since the first day in the file. @returns undefined if the answer was lost. */
export async function importFile(world: World, since: number): Promise<BankImport | undefined> {
  const json = { file: fileOf(world.bank, since, world.random() < 0.5) };
  const importOne = async () => {
    const answer = await call(world, deskPaths.paymentsImport, { cookie: world.ownerCookie, json });
    if (answer && answer.status >= 400 && answer.status < 500)
      world.wrong.push(`import: a file was refused with ${answer.status}`);
    return answer?.status === 200 ? answer.body : undefined;
  };
  const [first] = await Promise.all(world.random() < 0.3 ? [importOne(), importOne()] : [importOne()]);
  return first;
}

const markSent: Act = async (world, { sessions, isPaidByHand, isTransferred }, orderId) => {
  const json = { ids: [orderId], isSent: true };
  const answer = await call(world, deskPaths.ordersSent, { cookie: world.ownerCookie, json });
  const isPaid = [...sessions.values()].some((paidAt) => paidAt !== undefined);
  if (answer?.status === 200 && !isPaid && !isPaidByHand && !isTransferred)
    world.wrong.push('sent: an order that nobody has paid');
};

/** The owner marks an order as paid by transfer, or takes the mark back; the buyer may pay on the provider's page too. */
const markPaid: Act = async (world, purchase, orderId) => {
  const json = { ids: [orderId], isPaid: world.random() < 0.8 };
  const answer = await call(world, deskPaths.ordersPaid, { cookie: world.ownerCookie, json });
  if (!answer || answer.body[0]?.isPaid) purchase.isPaidByHand = true;
  if (world.random() < 0.4) await pay(world, purchase, orderId);
};

const askRefund: Act = async (world, purchase, orderId) => {
  const answer = await call(world, deskPaths.orderSettle(orderId), {
    ...{ cookie: world.ownerCookie, json: { isRefunded: true } },
  });
  if (!answer || answer.status < 400 || answer.status >= 500) purchase.isRefundAsked = true;
};

const refundInDashboard: Act = async (world, { sessions, dashboard }) => {
  const name = pick(world, [...sessions.keys()]);
  const session = name && world.provider.payments.sessions.get(name);
  if (!session) return;
  const { id, amount_total, payment_intent: intent } = session;
  const left = amount_total - (intent?.latest_charge.amount_refunded ?? 0);
  const amount = Math.ceil(left * (world.random() < 0.5 ? 1 : 0.3));
  if (isAllowed(() => world.provider.payments.refund(id, amount)))
    dashboard.set(id, (dashboard.get(id) ?? 0) + amount);
};

const dispute: Act = async (world, { sessions }) => {
  const name = pick(world, [...sessions.keys()]);
  if (name) isAllowed(() => world.provider.payments.dispute(name));
};

/** A webhook that says that an open session is paid. That of Stripe is signed. */
const lie: Act = async (world, { sessions }) => {
  const { payments, send } = world.provider;
  const session = payments.sessions.get(pick(world, [...sessions.keys()]) ?? '');
  if (!session) return;
  const object = { ...jsonOf(session), status: 'complete', payment_status: 'paid' };
  send({ type: 'checkout.session.completed', data: { object } });
};

/** Each is as likely as its weight says. */
const acts: readonly Act[] = (
  [
    [8, open],
    [10, pay],
    [5, transfer],
    [4, comeBack],
    [4, withdraw],
    [3, markSent],
    [3, markPaid],
    [2, askRefund],
    [3, refundInDashboard],
    [2, dispute],
    [1, lie],
    [6, async () => {}],
  ] as const
).flatMap(([weight, act]) => Array<Act>(weight).fill(act));
