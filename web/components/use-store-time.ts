import { useSyncExternalStore } from 'react';

/** A page that was asleep, or comes back from the browser's cache, has missed the ticks of its timer. */
const events = ['pageshow', 'focus', 'visibilitychange'];
const tickMs = 30_000;

const onTime = (onChange: () => void) => {
  const timer = setInterval(onChange, tickMs);
  for (const event of events) window.addEventListener(event, onChange);
  return () => {
    clearInterval(timer);
    for (const event of events) window.removeEventListener(event, onChange);
  };
};

/** @param read what a screen shows of the time (store-clock.ts), such as a day. @returns it, and anew when it has become another. */
export const useStoreTime = (read: () => string): string => useSyncExternalStore(onTime, read, read);
