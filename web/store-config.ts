import { defaultCurrency, moneyIn } from '../contract/price.ts';
import type { StoreConfig } from '../contract/store-config.ts';

/** @throws {Error} when the page has no configuration. */
const readConfig = (): StoreConfig => {
  const block = document.getElementById('store-config')?.textContent;
  if (!block) throw new Error('The page lacks the JSON block with the store’s configuration.');
  return JSON.parse(block);
};

/** The members that modules read while the renderer loads them. The renderer sets the whole before it renders. */
const unknownStore = { apiHost: '', currency: defaultCurrency } as StoreConfig;

export let storeConfig = import.meta.env.SSR && typeof document === 'undefined' ? unknownStore : readConfig();

export let money = moneyIn(storeConfig.currency);

/** Sets the configuration for the renderer, which has no page to read it from. */
export const setStoreConfig = (config: StoreConfig): void => {
  storeConfig = config;
  if (config.currency !== money.currency) money = moneyIn(config.currency);
};

type Delivered = { delivery?: { asksAddress: boolean } };
/** @returns whether an order is sent to an address; otherwise it is handed over. An order from before the shop had ways follows `DELIVERY`. */
export const asksAddress = ({ delivery }: Delivered): boolean =>
  delivery?.asksAddress ?? storeConfig.hasDelivery;
