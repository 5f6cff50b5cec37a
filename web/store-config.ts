import type { StoreConfig } from '../contract/store-config.ts';

/** @throws when the page has no such block. */
const readConfig = (): StoreConfig => {
  const block = document.getElementById('store-config')?.textContent;
  if (!block) throw new Error('The page lacks the JSON block with the store’s configuration.');
  return JSON.parse(block);
};

/** What the server wrote into the page: the store's name, the provider's name, where calls and uploads go. */
export const storeConfig = readConfig();
