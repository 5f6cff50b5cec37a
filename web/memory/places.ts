/**
 * Restores the place of each entry of the tab's history, so that Back returns to it: the scroll position, and the
 * element that had the focus. Browsers restore the position by themselves only for content that is there at once; a
 * list is still being fetched then. They never restore the focus.
 */
import { v4 as randomId } from 'uuid';
import type { AroundNavHandler } from 'wouter';
import { tabStorage } from './tab-storage.ts';

const storageKey = 'places';

/** `scrollY` is in pixels. `focusedId` is the `id` of the element that had the focus; empty when it has none. */
type Place = { scrollY: number; focusedId: string };

/** By the id of the history entry. */
let places: Record<string, Place> = {};
let currentEntry = '';
let hasNavigated = false;

/** Starts recording. Call it once, before the first screen is shown. */
export const trackPlaces = (): void => {
  window.history.scrollRestoration = 'manual';
  places = tabStorage.read<typeof places>(storageKey) ?? {};
  currentEntry = entryInHistory();
  window.addEventListener('popstate', () => {
    recordPlace();
    hasNavigated = true;
    currentEntry = entryInHistory();
  });
  window.addEventListener('pagehide', () => {
    recordPlace();
    tabStorage.write(storageKey, places);
  });
};

/** The state of a navigation that changes the list on the screen, and neither scrolls nor moves the focus. */
export const inPlace = { isInPlace: true };

/** Wouter's hook around each navigation: gives the new history entry an id. */
export const aroundNav: AroundNavHandler = (navigate, to, options) => {
  recordPlace();
  if (options?.replace) delete places[currentEntry];
  hasNavigated = true;
  currentEntry = randomId();
  if (!options?.state?.isInPlace) places[currentEntry] = { scrollY: 0, focusedId: '' };
  navigate(to, { ...options, state: { ...options?.state, entry: currentEntry } });
};

/** @returns the id of the history entry that is shown. */
export const currentEntryId = (): string => currentEntry;

/**
 * Call it when a screen has just appeared. Restores its scroll position and, after a navigation, the focus. On a
 * screen that is new its heading takes the focus, so that a screen reader reads it out.
 */
export const onScreenShown = (heading: HTMLElement | null): void => {
  window.scrollTo(0, places[currentEntry]?.scrollY ?? 0);
  if (hasNavigated && !restoreFocus()) heading?.focus({ preventScroll: true });
};

/**
 * Call it when a list has replaced another one on the screen, or has filled a screen that was too short to scroll
 * when it appeared. Restores the place. A focus that was on a removed element moves to the heading.
 */
export const restorePlace = (): void => {
  const place = places[currentEntry];
  if (place) window.scrollTo(0, place.scrollY);
  if (!hasNavigated || restoreFocus() || document.activeElement !== document.body) return;
  document.querySelector('h1')?.focus({ preventScroll: true });
};

/** @returns whether the element that had the focus is on the page; it has the focus again. */
const restoreFocus = (): boolean => {
  const { focusedId } = places[currentEntry] ?? {};
  const element = focusedId ? document.getElementById(focusedId) : null;
  element?.focus({ preventScroll: true });
  return element !== null;
};

const recordPlace = () => {
  places[currentEntry] = { scrollY: window.scrollY, focusedId: document.activeElement?.id ?? '' };
};

const entryInHistory = (): string => {
  const storedEntry: unknown = window.history.state?.entry;
  if (typeof storedEntry === 'string') return storedEntry;
  const entry = randomId();
  window.history.replaceState({ ...window.history.state, entry }, '');
  return entry;
};
