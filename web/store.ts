import type { Store } from '../contract/store.ts';

const readStore = (): Store => {
  const block = document.getElementById('store')?.textContent;
  if (!block) throw new Error('The page lacks the JSON block that names the store.');
  return JSON.parse(block);
};

/** What the server wrote into the page about itself. */
export const store = readStore();
