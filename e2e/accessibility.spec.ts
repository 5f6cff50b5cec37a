/** Every screen, in each state that shows other parts, is accessible on wide and narrow screens, light and dark. */

import { expectAccessible } from './accessible.ts';
import { deskStates } from './desk-states.ts';
import { test } from './fixtures.ts';
import { longBook, shopStates } from './shop-states.ts';
import { ada } from './sign-in.ts';

test.use({
  contextOptions: { reducedMotion: 'reduce' },
  storeOptions: {
    env: {
      // Jun is none.
      ADMIN_EMAILS: ada.email,
      SHOP_EMAIL: 'service@shop.example',
      SHOP_NOTE: 'Sent from Lisbon within two working days & signed.',
    },
  },
});

test.beforeEach(async ({ store }) => {
  await store.addBook(longBook);
});

for (const [state, open] of Object.entries({ ...shopStates, ...deskStates })) {
  test(`accessible: ${state}`, async ({ page, store, provokes }) => {
    const shown = await open({ page, store, provokes });
    await expectAccessible(shown ?? page);
  });
}
