import type { StoreConfig } from '../contract/store-config.ts';

/** @throws {Error} when the page has no configuration. */
const readConfig = (): StoreConfig => {
  const block = document.getElementById('store-config')?.textContent;
  if (!block) throw new Error('The page lacks the JSON block with the store’s configuration.');
  return JSON.parse(block);
};

/** The store's configuration, which the server writes into the page. */
export const storeConfig = readConfig();
