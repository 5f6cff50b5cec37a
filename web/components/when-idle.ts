import { useEffect } from 'react';

/** Calls `work` when the browser has nothing else to do, each time `isReady` becomes true. */
export const useWhenIdle = (isReady: boolean, work: () => void) => {
  useEffect(() => {
    if (!isReady) return;
    // Safari has none.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(work, 1_000);
      return () => clearTimeout(timer);
    }
    const request = requestIdleCallback(work);
    return () => cancelIdleCallback(request);
  }, [isReady, work]);
};
