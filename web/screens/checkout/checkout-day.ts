import { isCheckoutDay } from '../../../contract/checkout-day.ts';
import { storeNow } from '../../api/store-clock.ts';

/**
 * @returns the day of a checkout (spec, section 3): today by the clock of the device. Where the store does not take that, because this
 * clock is wrong: today by the store's clock, in the zone of the device.
 */
export const checkoutDay = (): string => {
  const day = new Date(Date.now()).toDateString();
  return isCheckoutDay(day, storeNow()) ? day : new Date(storeNow()).toDateString();
};
