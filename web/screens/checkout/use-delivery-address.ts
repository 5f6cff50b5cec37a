import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { addressQuery } from '../../api/orders.ts';
import { storageOf } from '../../memory/tab-storage.ts';
import { storeConfig } from '../../store-config.ts';

const storageKey = 'delivery-address';

/** Call it when an order was taken: the customer's next checkout begins with its address. */
export const forgetTypedAddress = (email: string): void => storageOf(email).remove(storageKey);

/**
 * The address that the customer wants the book sent to: the text that was typed in this tab, also before a reload or a sign-in; otherwise the
 * address that the store knows, once it is there.
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
