import { useSyncExternalStore } from 'react';

const subscribe = () => () => undefined;

/**
 * @returns true as long as the screen is as the server has painted it. What needs code is disabled then: a click on it would be lost.
 */
export const useIsPainted = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => false,
    () => true,
  );
