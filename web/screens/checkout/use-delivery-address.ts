import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { addressQuery } from '../../api/address-calls.ts';
import { tabStorage } from '../../memory/tab-storage.ts';
import { storeConfig } from '../../store-config.ts';

const storageKey = 'delivery-address';
type Typed = { email: string; text: string };

/** Call it when an order was taken: the next checkout begins with its address. */
export const forgetTypedAddress = (): void => tabStorage.remove(storageKey);

/**
 * The address that the customer wants the book sent to: the text that was typed in this tab, also before a reload or a sign-in; otherwise the
 * address that the store knows, once it is there.
 */
export const useDeliveryAddress = (email: string) => {
  const known = useQuery({ ...addressQuery, enabled: storeConfig.hasDelivery });
  const [typed, setTyped] = useState(() => {
    const stored = tabStorage.read<Typed>(storageKey);
    return stored?.email === email ? stored.text : undefined;
  });
  const type = (text: string) => {
    setTyped(text);
    tabStorage.write(storageKey, { email, text });
  };
  return {
    text: typed ?? known.data?.deliveryAddress ?? '',
    isPending: typed === undefined && known.isLoading,
    type,
  };
};
export type DeliveryAddress = ReturnType<typeof useDeliveryAddress>;
