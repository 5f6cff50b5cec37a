/** A visitor wanders through pages whose text the browser has changed. */

import { deskScreens, deskViewAddress } from '../contract/desk/paths.ts';
import { screens } from '../contract/paths.ts';
import { test as base, expect } from './fixtures.ts';
import { openSignedIn } from './sign-in.ts';
import type { Store } from './store.ts';
import { janeEyre } from './test-books.ts';
import { addBuyer, addOrder } from './test-orders.ts';
import { bringTranslator, looseTexts, staleTexts, type Translation, translate } from './translator.ts';

/** A visitor who presses anything is refused now and then, which the browser's console tells. */
const test = base.extend({
  provokes: async ({ context, store }, use) => {
    const errors: string[] = [];
    context.on('weberror', (webError) => errors.push(String(webError.error().stack)));
    context.on('console', (message) => {
      const isRefusal = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isRefusal) errors.push(message.text());
    });
    await use(() => undefined);
    expect([...errors, ...store.takeErrors()]).toEqual([]);
  },
});

test.beforeEach(({ page }) => bringTranslator(page));

const ways = ['fonts', 'moved', 'marked'] as const satisfies Translation[];

const olu = { name: 'Olu Adeyemi', email: 'olu@example.com' };

/** An address of each screen. */
async function stock(store: Store): Promise<string[]> {
  const [book] = await store.booksNamed(janeEyre.title);
  if (!book) throw new Error('There is no test book.');
  const buyer = { buyerId: await addBuyer(store.db, olu), buyer: olu, book: { ...janeEyre, id: book.id } };
  await addOrder(store.db, { ...buyer, placedAt: '2026-03-02T10:00:00Z' });
  await addOrder(store.db, { ...buyer, placedAt: '2026-03-03T10:00:00Z', sentAt: '2026-03-04T10:00:00Z' });
  return [
    screens.home,
    '/?q=e&sort=title',
    '/?q=jane+frankenstien',
    screens.book(book.id),
    screens.login,
    screens.checkout(book.id),
    screens.orders,
    screens.admin,
    `${screens.admin}?view=add`,
    '/no-such-page',
    ...deskScreens,
    `${deskViewAddress('orders')}?order=`,
  ];
}

/** Acts of a visitor, each chosen by the seed: a press, or words in a field. They end no session, and leave neither shop nor desk. */
const wander = `{
  const seeded = (seed) => () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  let pending = 0;
  const fetchPlainly = fetch;
  globalThis.fetch = (...call) => {
    pending += 1;
    return fetchPlainly(...call).finally(() => (pending -= 1));
  };
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.disabled;
  const leaves = (element) =>
    element.matches('[type=file], [download], [target]') || /og out|ign out|Continue with|Reload|Print/.test(element.textContent);
  navigation.addEventListener('navigate', (event) => event.destination.sameDocument || event.preventDefault());
  const words = ['jane', 'e', '', 'love 1', '12.50', 'qwertz'];
  globalThis.settle = async () => {
    do await frame();
    while (pending > 0);
    await frame();
  };
  globalThis.wander = async (seed, steps) => {
    const random = seeded(seed);
    const pick = (list) => list[Math.floor(random() * list.length)];
    const acts = [];
    for (let step = 0; step < steps; step += 1) {
      const root = document.querySelector('dialog[open]') ?? document.getElementById('root');
      const all = [...root.querySelectorAll('a, button, input, select, textarea, summary')];
      const element = pick(all.filter((one) => isShown(one) && !leaves(one)));
      if (!element) return acts;
      const isText = element.matches('textarea, input:not([type=checkbox], [type=radio], [type=date])');
      const word = isText ? pick(words) : '';
      acts.push(element.tagName + ' ' + (word || element.textContent || element.name || '').slice(0, 40));
      element.focus();
      if (isText || element.matches('select, [type=date]')) {
        const value = isText ? word : element.matches('select') ? pick([...element.options]).value : '2026-03-02';
        Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value').set.call(element, value);
        element.dispatchEvent(new Event(element.matches('select') ? 'change' : 'input', { bubbles: true }));
      } else element.click();
      await settle();
    }
    return acts;
  };
}`;

const steps = 12;

for (const way of [undefined, ...ways]) {
  test(`${way ? `text in ${way}` : 'no text that stands beside others'} stops no screen`, async ({
    page,
    store,
  }) => {
    test.setTimeout(180_000);
    page.on('dialog', (dialog) => dialog.accept());
    await page.addInitScript(wander);
    await openSignedIn(page, screens.orders);
    for (const [seed, address] of (await stock(store)).entries()) {
      await test.step(`${address}, seed ${seed}`, async () => {
        await page.goto(address);
        await page.evaluate('settle()');
        if (way) await translate(page, way);
        const acts = await page.evaluate<string[]>(`wander(${seed}, ${steps})`);
        const told = acts.join('\n');
        expect(await page.getByText('could not be shown').count(), told).toBe(0);
        expect(way ? await staleTexts(page) : await looseTexts(page), told).toEqual([]);
      });
    }
  });
}
