/** The state of an entry of the tab's history, which a reload keeps. */

import { useHistoryState } from 'wouter/use-browser-location';
import { setEntryState } from './platform.ts';

export type Place = {
  scrollY: number;
  /** The `id` of the focused element; empty for none. */
  focusedId: string;
  /** The first item in the viewport, and its distance in pixels from the top. Undefined if the viewport shows no list, or the start of one. */
  item?: { key: string; index: number; topPx: number } | undefined;
  /** The index of the last item in the viewport; -1 for none. */
  lastIndex: number;
};

export type EntryState = {
  place?: Place;
  /** The shelf that the visitor came from: its address, and how many history entries back it is. */
  shelf?: { address: string; steps: number };
  /** True if the navigation only changed the list on the screen: the page does not scroll, and the focus stays. */
  isInPlace?: true;
  /** True if opening a panel made this entry: Back closes the panel. */
  isPanel?: true;
  /** True if the entry before this one is the list of orders. */
  isFromList?: true;
  /** The id of the order that was just placed. The orders screen thanks for it once. */
  boughtOrder?: string | undefined;
  /** The words that a customer searches their orders for. */
  search?: string;
  returnTo?: string;
};

/** The server also renders, and has no history. */
export const entryState = (): EntryState => globalThis.history?.state ?? {};

export const changeEntry = (changes: EntryState): void => setEntryState({ ...entryState(), ...changes });

export const useEntryState = (): EntryState => useHistoryState<EntryState | null>() ?? {};
