import { screens } from '../../../contract/paths.ts';

const parameter = 'receipt';

/** @returns the address of the receipt of an order, which stays the same. */
export const receiptAddress = (orderId: string): string =>
  `${screens.orders}?${new URLSearchParams({ [parameter]: orderId })}`;

/** The state of the history entry of a receipt that the list has led to. */
export const fromList = { isFromList: true };

/** @returns the id of the order whose receipt an address shows; null for the list. */
export const orderOfReceipt = (search: string): string | null => new URLSearchParams(search).get(parameter);
