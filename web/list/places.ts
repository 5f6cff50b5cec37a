/**
 * Restores the place of each entry of the tab's history, so that Back returns to it: the scroll position, and the focused element. Browsers
 * restore the position only for content that is there at once, and never the focus. The state of the entry has its place. In a list, the
 * place is that of the first item in the viewport: elements of items have `data-key`, and `data-index`, which counts from 0.
 */
import type { AroundNavHandler } from 'wouter';
import { screens } from '../../contract/paths.ts';
import { changeEntry, type EntryState, entryState, type Place } from '../memory/history.ts';
import { keepScroll, openEntry } from '../memory/platform.ts';

/** Browsers refuse more than three changes of an entry in a second. */
const recordingPauseMs = 400;

const top: Place = { scrollY: 0, focusedId: '', lastIndex: -1 };

let hasNavigated = false;
/** True while the entry's list may still be on its way: leaving the entry then must not lose its place. */
let isAwaited = true;
let recording: ReturnType<typeof setTimeout> | undefined;

/** Starts the recording. Call this function once, before the first screen is shown. */
export const trackPlaces = (): void => {
  keepScroll();
  const recordSoon = () => {
    clearTimeout(recording);
    recording = setTimeout(recordPlace, recordingPauseMs);
  };
  window.addEventListener('scroll', recordSoon, { passive: true });
  window.addEventListener('focusin', recordSoon);
  window.addEventListener('beforeunload', recordPlace);
  window.addEventListener('popstate', () => {
    // The history entry has already changed, so a pending recording is cancelled.
    clearTimeout(recording);
    hasNavigated = true;
    isAwaited = true;
  });
};

/** The state of a navigation that only changes the list on the screen: the page does not scroll, and the focus stays. */
export const inPlace: EntryState = { isInPlace: true };

/** Wouter's hook around each navigation: records the place in the entry that is left. */
export const aroundNav: AroundNavHandler = (navigate, to, options) => {
  recordPlace();
  const shelf = options?.replace ? entryState().shelf : shelfBehindNext();
  hasNavigated = true;
  isAwaited = false;
  const state = { ...(!options?.state?.isInPlace && { place: top }), ...options?.state, shelf };
  openEntry(() => navigate(to, { ...options, state }), to);
};

/** @returns the shelf that the visitor came from, and how many history steps back it is. */
const shelfBehindNext = (): EntryState['shelf'] => {
  const { pathname, search } = window.location;
  if (pathname === screens.home || pathname === screens.homeAlias)
    return { address: pathname + search, steps: 1 };
  const { shelf } = entryState();
  return shelf && { ...shelf, steps: shelf.steps + 1 };
};

/** The place that the visitor had in this history entry. */
export const placeInList = (): Place | undefined => entryState().place;

/**
 * Call this function when a screen has just appeared. It restores the scroll position and, after a navigation, the focus. On a new screen,
 * the heading gets the focus, so that a screen reader reads it out.
 */
export const onScreenShown = (heading: HTMLElement | null): void => {
  scrollTo(entryState().place ?? top);
  if (hasNavigated && !restoreFocus()) heading?.focus({ preventScroll: true });
};

/**
 * Call this function when a list has replaced another one, or has filled a screen that was too short to scroll. It restores the place. If
 * the focused element was removed, the heading gets the focus.
 */
export const restorePlace = (): void => {
  isAwaited = false;
  const { place } = entryState();
  if (place) scrollTo(place);
  if (!hasNavigated || restoreFocus() || document.activeElement !== document.body) return;
  document.querySelector('h1')?.focus({ preventScroll: true });
};

const scrollTo = ({ item, scrollY }: Place): void => {
  const element = item && document.querySelector(`[data-key="${CSS.escape(item.key)}"]`);
  if (element) window.scrollBy(0, element.getBoundingClientRect().top - item.topPx);
  else window.scrollTo(0, scrollY);
};

/** Focuses the recorded element again. @returns true if it is on the page. */
const restoreFocus = (): boolean => {
  const id = entryState().place?.focusedId;
  const element = id ? document.getElementById(id) : null;
  element?.focus({ preventScroll: true });
  // The content of a screen gets the focus only from the skip link.
  return element !== null && element === document.activeElement;
};

const recordPlace = () => {
  clearTimeout(recording);
  if (isAwaited && entryState().place?.item) return;
  // A busy list is still that of the previous search.
  if (document.querySelector('[aria-busy="true"] [data-key]')) return;
  const items = [...document.querySelectorAll<HTMLElement>('[data-key]')].flatMap((element) => {
    const { top: topPx, bottom } = element.getBoundingClientRect();
    const { key = '', index } = element.dataset;
    return bottom > 0 && topPx < window.innerHeight ? [{ key, index: Number(index), topPx }] : [];
  });
  const [first] = items;
  changeEntry({
    place: {
      scrollY: window.scrollY,
      focusedId: document.activeElement?.id ?? '',
      item: first?.index === 0 && first.topPx >= 0 ? undefined : first,
      lastIndex: items.at(-1)?.index ?? -1,
    },
  });
};
