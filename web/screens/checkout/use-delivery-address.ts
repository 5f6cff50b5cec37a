import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { addressQuery } from '../../api/orders.ts';
import { storageOf } from '../../memory/tab-storage.ts';
import { storeConfig } from '../../store-config.ts';

const storageKey = 'delivery-address';

/** Call this function when the store has taken an order: the customer's next checkout begins with its address. */
export const forgetTypedAddress = (email: string): void => storageOf(email).remove(storageKey);

/**
 * The address for the customer's order: the text that was typed in this tab, also before a reload or a sign-in; otherwise the address that
 * the store knows, once it has arrived.
 */
export const useDeliveryAddress = (email: string) => {
  const known = useQuery({ ...addressQuery, enabled: storeConfig.hasDelivery });
  const [typed, setTyped] = useState(() => storageOf(email).read<string>(storageKey));
  const type = (text: string) => {
    setTyped(text);
    storageOf(email).write(storageKey, text);
  };
  return {
    text: typed ?? known.data?.deliveryAddress ?? '',
    isPending: typed === undefined && known.isLoading,
    type,
  };
};
export type DeliveryAddress = ReturnType<typeof useDeliveryAddress>;
