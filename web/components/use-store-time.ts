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

/** @param read computes from the time (store-clock.ts) what a screen shows, such as a day. @returns the value, which updates when it changes. */
export const useStoreTime = (read: () => string): string => useSyncExternalStore(onTime, read, read);
