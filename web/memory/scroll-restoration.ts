/**
 * Restores the scroll position of each entry of the tab's history, so that Back returns to the same place. Browsers do this
 * by themselves only for content that is there at once; a list is still being fetched then.
 */
import { v4 as randomId } from 'uuid';
import type { AroundNavHandler } from 'wouter';
import { tabStorage } from './tab-storage.ts';

const storageKey = 'scroll-positions';

/** In pixels, by the id of the history entry. */
let positions: Record<string, number> = {};
let currentEntry = '';
let hasNavigated = false;

/** Starts recording. Call it once, before the first screen is shown. */
export const trackScrollPositions = (): void => {
  window.history.scrollRestoration = 'manual';
  positions = tabStorage.read<typeof positions>(storageKey) ?? {};
  currentEntry = entryInHistory();
  window.addEventListener('popstate', () => {
    recordPosition();
    hasNavigated = true;
    currentEntry = entryInHistory();
  });
  window.addEventListener('pagehide', () => {
    recordPosition();
    tabStorage.write(storageKey, positions);
  });
};

/** Wouter's hook around each navigation: gives the new history entry an id. */
export const aroundNav: AroundNavHandler = (navigate, to, options) => {
  recordPosition();
  hasNavigated = true;
  currentEntry = randomId();
  navigate(to, { ...options, state: { ...options?.state, entry: currentEntry } });
};

/**
 * Call it when a screen has just appeared. Restores its scroll position, and after a navigation focuses its heading, so
 * that a screen reader reads it out.
 */
export const onScreenShown = (heading: HTMLElement | null): void => {
  if (hasNavigated) heading?.focus({ preventScroll: true });
  window.scrollTo(0, positions[currentEntry] ?? 0);
};

/** Call it when a list has filled a screen that was too short to scroll when it appeared. */
export const restoreScroll = (): void => {
  const position = positions[currentEntry];
  if (position !== undefined) window.scrollTo(0, position);
};

const recordPosition = () => {
  positions[currentEntry] = window.scrollY;
};

const entryInHistory = (): string => {
  const storedEntry: unknown = window.history.state?.entry;
  if (typeof storedEntry === 'string') return storedEntry;
  const entry = randomId();
  window.history.replaceState({ ...window.history.state, entry }, '');
  return entry;
};
