/**
 * A shop with everything that can go wrong between it, its payment providers and its bank: calls and webhooks are lost, repeated and late,
 * nodes are killed, files of the bank overlap, money goes back on both sides, and time passes. At the end every cent of the other ledgers
 * must be explained by the shop's.
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
import { type LedgerNode, openLedgerNode, paymentDays } from './node.ts';
import { openFaultyProvider } from './provider.ts';
import { act, begin, endless, importFile, type Purchase, scarce, type World } from './purchases.ts';

const [minute, hour] = [60_000, 3_600_000];
/** The time between two rounds is one of these. */
const steps = [minute, 5 * minute, 40 * minute, 5 * hour, 20 * hour];
const rounds = 7;
/** Purchases that go on at once. */
const width = 50;
/** The clock only goes forward, because the times of ids do. */
let now = Date.now();

/** `count`: of purchases in an empty shop. `kills`: how many nodes are killed meanwhile. */
export type ToPlay = { count: number; kills: number };

/** Opens two nodes on a database, which `play` empties. */
export async function openShop(url: string, seed: number) {
  const random = randomNumbers(seed);
  const database = await openDatabase(settingsOf(url));
  const nodes: LedgerNode[] = [];
  const provider = await openFaultyProvider(
    random,
    () => nodes[Math.floor(random() * nodes.length)]?.origin ?? '',
  );
  // The other node may lock the database for longer than the start of one waits.
  const openNode = (): Promise<LedgerNode> =>
    openLedgerNode(url, provider.origin).catch(() => openLedgerNode(url, provider.origin));
  nodes.push(...(await Promise.all([openNode(), openNode()])));
  /** It starts while the others work, and takes the place of the next one that is killed. */
  let spare = openNode();
  const cookieName = sessionCookieName({ isSecure: false });
  const world: World = {
    ...{ provider, nodes, random, now, ownerCookie: '', wrong: [], bank: [] },
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
    await Promise.all(nodes.map((node) => node.setClock(now)));
    // An owner's session ends before that of a buyer.
    world.ownerCookie = await world.signIn({ sub: owner.name, email: owner.email });
  }

  /** @param work all calls to a killed node are lost until it is done. */
  async function kill(work: Promise<unknown>): Promise<void> {
    await pause(random() * 80);
    const index = Math.floor(random() * nodes.length);
    await nodes[index]?.kill();
    const [node] = await Promise.all([spare, work]);
    await node.setClock(now);
    nodes[index] = node;
    spare = openNode();
  }

  async function empty(): Promise<void> {
    await emptyTables(database);
    provider.forget();
    world.wrong = [];
    world.bank = [];
    for (const book of [endless, scarce])
      await addBook(database.db, { ...book, image: 'https://covers.example/1.jpg' }, null);
    for (const node of [...nodes, await spare]) await node.forget();
  }

  return {
    async play({ count, kills }: ToPlay): Promise<Compared> {
      await empty();
      await pass(minute);
      const openedAt = now;
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
          provider.become(random() < (wasLastCall ? 0.5 : 0.15) ? 'down' : 'faulty');
          const isHasty = round === 0 || isLastCall;
          const acts = begun.map((purchase) => act(world, purchase, { isHasty }));
          wasLastCall = isLastCall;
          const imports = random() < 0.5 && importFile(world, now - Math.floor(random() * 3) * dayMs);
          const work = Promise.all([...acts, imports, ...nodes.map((node) => node.sweep())]);
          await Promise.all([work, ...(round === killedIn ? [kill(work)] : [])]);
          await provider.settle();
        }
      }
      // The store settles what is left. It asks for a paid session, which may have been refunded, when it is twice as old as at the last time.
      provider.become('whole');
      await importFile(world, openedAt);
      for (const step of [minute, hour, 6 * hour, 24 * hour, now - openedAt + 2 * dayMs, hour]) {
        await pass(step);
        await Promise.all(nodes.map((node) => node.sweep()));
        await provider.settle();
      }
      await importFile(world, openedAt);
      const listed = await importFile(world, openedAt);
      const compared = await compareLedgers(database.db, world, purchases, listed);
      return { ...compared, anomalies: [...new Set(world.wrong), ...compared.anomalies] };
    },
  };
}
