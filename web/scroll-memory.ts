/**
 * Remembers how far each page of the tab's history was scrolled, so that Back returns to the same place. Browsers do
 * this only for pages whose content stands in the document when they look, which a list still being read does not.
 */
import type { AroundNavHandler } from 'wouter';
import { randomId } from './random-id.ts';
import { tabMemory } from './tab-memory.ts';

const storageKey = 'scroll-memory';

let places: Record<string, number> = {};
let currentVisit = '';
let hasNavigated = false;

/** Starts remembering. To be called once, before the first screen is shown. */
export const followHistory = (): void => {
  window.history.scrollRestoration = 'manual';
  places = tabMemory.read<typeof places>(storageKey) ?? {};
  currentVisit = visitInHistory();
  window.addEventListener('popstate', () => {
    rememberPlace();
    hasNavigated = true;
    currentVisit = visitInHistory();
  });
  window.addEventListener('pagehide', () => {
    rememberPlace();
    tabMemory.write(storageKey, places);
  });
};

/** Gives each entry of the history the id under which its place is remembered. */
export const aroundNav: AroundNavHandler = (navigate, to, options) => {
  rememberPlace();
  hasNavigated = true;
  currentVisit = randomId();
  navigate(to, { ...options, state: { ...options?.state, visit: currentVisit } });
};

/** To be called by a screen that has just appeared: reads its heading out and shows the place it was left at. */
export const arrive = (heading: HTMLElement | null): void => {
  if (hasNavigated) heading?.focus({ preventScroll: true });
  window.scrollTo(0, places[currentVisit] ?? 0);
};

/** To be called when a list has just filled a screen that was too short to be scrolled on arrival. */
export const returnToPlace = (): void => {
  const place = places[currentVisit];
  if (place !== undefined) window.scrollTo(0, place);
};

const rememberPlace = () => {
  places[currentVisit] = window.scrollY;
};

const visitInHistory = (): string => {
  const known: unknown = window.history.state?.visit;
  if (typeof known === 'string') return known;
  const visit = randomId();
  window.history.replaceState({ ...window.history.state, visit }, '');
  return visit;
};
