/**
 * Restores the place of each entry of the tab's history, so that Back returns to it: the scroll position, and the
 * element that had the focus. Browsers restore the position by themselves only for content that is there at once; a
 * list is still being fetched then. They never restore the focus.
 *
 * In a long list, most of which is not rendered, the place is that of the first item in the viewport. Elements of items
 * have `data-key`, and `data-index`, which counts from 0.
 */

import type { AroundNavHandler } from 'wouter';
import { screens } from '../../contract/paths.ts';
import { changeEntry, type EntryState, entryState } from '../memory/history.ts';
import { keepScroll, openEntry, randomId } from '../memory/platform.ts';
import { tabStorage } from '../memory/tab-storage.ts';

const storageKey = 'places';

/** The first item in the viewport, in pixels from its top; and the last one. */
type ItemsInView = { key: string; index: number; topPx: number; lastIndex: number };

/** `scrollY` is in pixels. `focusedId` is the `id` of the element that had the focus; empty when it has none. */
type Place = {
  scrollY: number;
  focusedId: string;
  /** The key of the item that the focused element was in. */
  focusedKey?: string | undefined;
  /** Undefined where the viewport showed no list, or its beginning. */
  items?: ItemsInView | undefined;
};

/** By the id of the history entry. */
let places: Record<string, Place> = {};
let currentEntry = '';
/** The entry whose list is still being fetched, if it has one: leaving it meanwhile must not lose the place. */
let awaitedEntry = '';
let hasNavigated = false;

/** Starts recording. Call it once, before the first screen is shown. */
export const trackPlaces = (): void => {
  keepScroll();
  places = tabStorage.read<typeof places>(storageKey) ?? {};
  currentEntry = entryInHistory();
  awaitedEntry = currentEntry;
  window.addEventListener('popstate', () => {
    recordPlace();
    hasNavigated = true;
    currentEntry = entryInHistory();
    awaitedEntry = currentEntry;
  });
  window.addEventListener('pagehide', () => {
    recordPlace();
    tabStorage.write(storageKey, places);
  });
};

/** The state of a navigation that changes the list on the screen, and neither scrolls nor moves the focus. */
export const inPlace: EntryState = { isInPlace: true };

/** Wouter's hook around each navigation: gives the new history entry an id. */
export const aroundNav: AroundNavHandler = (navigate, to, options) => {
  recordPlace();
  const shelf = options?.replace ? entryState().shelf : shelfBehindNext();
  if (options?.replace) delete places[currentEntry];
  hasNavigated = true;
  currentEntry = randomId();
  if (!options?.state?.isInPlace) places[currentEntry] = { scrollY: 0, focusedId: '' };
  const state = { ...options?.state, shelf, entry: currentEntry };
  openEntry(() => navigate(to, { ...options, state }), to);
};

/** @returns the shelf behind an entry that follows the one that is shown. */
const shelfBehindNext = (): EntryState['shelf'] => {
  const { pathname, search } = window.location;
  if (pathname === screens.home || pathname === screens.homeAlias) {
    return { address: pathname + search, steps: 1 };
  }
  const { shelf } = entryState();
  return shelf && { ...shelf, steps: shelf.steps + 1 };
};

/** The place in a list, as recorded for the history entry that is shown; undefined when there is none. */
export const placeInList = ():
  | { focusedKey: string | undefined; items: ItemsInView | undefined }
  | undefined => {
  const place = places[currentEntry];
  return place && { focusedKey: place.focusedKey, items: place.items };
};

/** @returns the id of the history entry that is shown. */
export const currentEntryId = (): string => currentEntry;

/**
 * Call it when a screen has just appeared. Restores its scroll position and, after a navigation, the focus. On a
 * screen that is new its heading takes the focus, so that a screen reader reads it out.
 */
export const onScreenShown = (heading: HTMLElement | null): void => {
  scrollTo(places[currentEntry] ?? { scrollY: 0 });
  if (hasNavigated && !restoreFocus()) heading?.focus({ preventScroll: true });
};

/**
 * Call it when a list has replaced another one on the screen, or has filled a screen that was too short to scroll
 * when it appeared. Restores the place. A focus that was on a removed element moves to the heading.
 */
export const restorePlace = (): void => {
  awaitedEntry = '';
  const place = places[currentEntry];
  if (place) scrollTo(place);
  if (!hasNavigated || restoreFocus() || document.activeElement !== document.body) return;
  document.querySelector('h1')?.focus({ preventScroll: true });
};

const scrollTo = ({ items, scrollY }: Pick<Place, 'items' | 'scrollY'>): void => {
  const item =
    items &&
    (document.querySelector(`[data-key="${CSS.escape(items.key)}"]`) ??
      document.querySelector(`[data-index="${items.index}"]`));
  if (item) window.scrollBy(0, item.getBoundingClientRect().top - items.topPx);
  else window.scrollTo(0, scrollY);
};

/** Scrolls to the place in a list again, whose rows have turned out to have other heights. */
export const restoreScroll = (): void => {
  const place = places[currentEntry];
  if (place?.items) scrollTo(place);
};

/** @returns whether the element that had the focus is on the page; it has the focus again. */
const restoreFocus = (): boolean => {
  const { focusedId } = places[currentEntry] ?? {};
  const element = focusedId ? document.getElementById(focusedId) : null;
  element?.focus({ preventScroll: true });
  // The content of a screen takes it from the skip link alone.
  return element !== null && element === document.activeElement;
};

const recordPlace = () => {
  if (awaitedEntry === currentEntry && places[currentEntry]?.items) return;
  const { activeElement } = document;
  places[currentEntry] = {
    scrollY: window.scrollY,
    focusedId: activeElement?.id ?? '',
    focusedKey: activeElement?.closest<HTMLElement>('[data-key]')?.dataset['key'],
    items: itemsInView(),
  };
};

const itemsInView = (): ItemsInView | undefined => {
  let inView: ItemsInView | undefined;
  for (const item of document.querySelectorAll<HTMLElement>('[data-key]')) {
    const { top, bottom } = item.getBoundingClientRect();
    if (bottom <= 0 || top >= window.innerHeight) continue;
    const { key = '', index } = item.dataset;
    const lastIndex = Number(index);
    inView = { ...(inView ?? { key, index: lastIndex, topPx: top }), lastIndex };
  }
  return inView?.index === 0 && inView.topPx >= 0 ? undefined : inView;
};

const entryInHistory = (): string => {
  const stored = entryState().entry;
  if (stored !== undefined) return stored;
  const entry = randomId();
  changeEntry({ entry });
  return entry;
};
