import { isCheckoutDay } from '../../../contract/checkout-day.ts';
import { storeNow } from '../../api/store-clock.ts';

/**
 * @returns the day of a checkout (spec, section 3): today by the device's clock. If the store has refused that day because the clock is
 * wrong, today by the store's clock, in the device's time zone.
 */
export const checkoutDay = (): string => {
  const day = new Date(Date.now()).toDateString();
  return isCheckoutDay(day, storeNow()) ? day : new Date(storeNow()).toDateString();
};
