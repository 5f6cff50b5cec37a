/**
 * A shop with everything that can go wrong between it and its payment provider: calls and webhooks are lost, repeated and late, nodes are
 * killed, money goes back on both sides, and time passes. At the end every cent of the provider's ledger must be explained by the shop's.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { addBook } from '../../catalogue/books.ts';
import { openDatabase } from '../../database/open.ts';
import { dayMs } from '../../database/times.ts';
import { sessionCookieName } from '../../sign-in/session-cookie.ts';
import { startSession } from '../../sign-in/sessions.ts';
import { identityOf, issuer, owner, setClock, settingsOf } from '../model/node.ts';
import { randomNumbers } from '../random-numbers.ts';
import { emptyTables } from '../test-database.ts';
import { type Compared, compareLedgers } from './compare.ts';
import { openFaultyProvider } from './faulty-provider.ts';
import { type LedgerNode, openLedgerNode, paymentDays } from './node.ts';
import { act, begin, endless, type Purchase, scarce, type World } from './purchases.ts';

const [minute, hour] = [60_000, 3_600_000];
/** The time between two rounds is one of these. */
const steps = [minute, 5 * minute, 40 * minute, 5 * hour, 20 * hour];
const rounds = 7;
/** Purchases that go on at once. */
const width = 50;
/**
 * At the end the provider is whole again, and the store has this time to settle what is left: it asks for a paid session, which may have been
 * refunded, when it is twice as old as at the last time.
 */
const settlingSteps = [minute, hour, 6 * hour, ...Array<number>(14).fill(24 * hour), hour];

/** The clock only goes forward, because the times of ids do. */
let now = Date.now();

/** Opens two nodes on a database, which `play` empties. */
export async function openShop(url: string, seed: number) {
  const random = randomNumbers(seed);
  const database = await openDatabase(settingsOf(url));
  const nodes: LedgerNode[] = [];
  const provider = await openFaultyProvider({
    random,
    storeOrigin: () => nodes[Math.floor(random() * nodes.length)]?.origin ?? '',
  });
  // The other node may lock the database for longer than the start of one waits.
  const openNode = (): Promise<LedgerNode> =>
    openLedgerNode(url, provider.origin).catch(() => openLedgerNode(url, provider.origin));
  nodes.push(...(await Promise.all([openNode(), openNode()])));
  const cookieName = sessionCookieName({ isSecure: false });
  const world: World = {
    ...{ provider, nodes, random, now, ownerCookie: '', wrong: [] },
    async signIn(person) {
      const identity = { ...identityOf(owner), ...person };
      const { sessionId } = await startSession(database.db, identity, { providerIssuer: issuer });
      return `${cookieName}=${sessionId}`;
    },
  };

  async function pass(ms: number): Promise<void> {
    now += ms;
    world.now = now;
    setClock(now);
    for (const node of nodes) await node.setClock(now);
    // An owner's session ends before that of a buyer.
    world.ownerCookie = await world.signIn({ sub: owner.name, email: owner.email });
  }

  async function kill(): Promise<void> {
    await pause(random() * 80);
    const index = Math.floor(random() * nodes.length);
    await nodes[index]?.kill();
    const node = await openNode();
    await node.setClock(now);
    nodes[index] = node;
  }

  async function empty(): Promise<void> {
    await emptyTables(database);
    provider.forget();
    world.wrong = [];
    for (const book of [endless, scarce])
      await addBook(database.db, { ...book, image: 'https://covers.example/1.jpg' }, null);
    for (const node of nodes) await node.forget();
  }

  return {
    /** Plays purchases in an empty shop. @param kills how many nodes are killed meanwhile. */
    async play({ count, kills }: { count: number; kills: number }): Promise<Compared> {
      await empty();
      await pass(minute);
      const purchases: Purchase[] = [];
      const deadly = new Set(Array.from({ length: kills }, () => Math.floor(random() * (count / width))));
      for (let group = 0; purchases.length < count; group += 1) {
        const size = Math.min(width, count - purchases.length);
        const begun = await Promise.all(Array.from({ length: size }, () => begin(world)));
        purchases.push(...begun);
        const killedIn = deadly.has(group) ? Math.floor(random() * rounds) : undefined;
        // Their orders are placed in the first round. Shortly before they are cancelled, many open a page, which is open shortly after.
        let lastCall = 0;
        let wasLastCall = false;
        for (let round = 0; round < rounds; round += 1) {
          const isLastCall = now < lastCall && random() < 0.3;
          const step = steps[Math.floor(random() * steps.length)] ?? minute;
          await pass(isLastCall ? lastCall - now : wasLastCall ? 22 * minute : step);
          if (round === 0) lastCall = now + dayMs * paymentDays - 20 * minute;
          provider.setDown(random() < (wasLastCall ? 0.5 : 0.15));
          const isHasty = round === 0 || isLastCall;
          const acts = begun.map((purchase) => act(world, purchase, { isHasty }));
          wasLastCall = isLastCall;
          const sweeps = nodes.map((node) => node.sweep());
          await Promise.all([...acts, ...sweeps, ...(round === killedIn ? [kill()] : [])]);
          await provider.settle();
        }
      }
      provider.mend();
      for (const step of settlingSteps) {
        await pass(step);
        for (const node of nodes) await node.sweep();
        await provider.settle();
      }
      const compared = await compareLedgers(database.db, provider.payments.sessions, purchases);
      return { ...compared, anomalies: [...new Set(world.wrong), ...compared.anomalies] };
    },
    async close(): Promise<void> {
      for (const node of nodes) await node.kill();
      await provider.close();
      await database.close();
      setClock(undefined);
    },
  };
}
