/**
 * The browser app's configuration. The server writes it into the page, as a JSON block with the id `store-config`. No member is optional, so
 * the compiler finds each place that fills it.
 */
export type StoreConfig = {
  name: string;
  providerName: string;
  /** The origin of the API; empty for the origin of the page. */
  apiHost: string;
  timeZone: string;
  currency: string;
  hasDelivery: boolean;
  orderButton: string;
  /** Whether the shop sends mail, only shows it on the desk, or neither. */
  mail: 'sent' | 'shown' | 'off';
  /** The ways to pay, such as `transfer`; empty for none. */
  payments: readonly string[];
  /** The owner's line on delivery and payment, for the page of each book. */
  note: string | undefined;
  shopEmail: string | undefined;
  /** True if events of orders go to an address, for the desk. */
  hasWebhooks: boolean;
  /** Visitors' browsers report how fast the pages are. */
  measuresVisitors: boolean;
  /** `url` gets uploads: the store's /1/upload, or that of an imgbb-compatible host. */
  imageHost: { url: string };
};
