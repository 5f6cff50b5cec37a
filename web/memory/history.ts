/** The state of an entry of the tab's history, which a reload keeps. */

import { useEffect, useState } from 'react';
import { useHistoryState } from 'wouter/use-browser-location';
import type { Order } from '../../contract/order.ts';
import { setEntryState } from './platform.ts';

/** Where the visitor is on a screen. */
export type Place = {
  scrollY: number;
  /** The `id` of the element that has the focus; empty when it has none. */
  focusedId: string;
  /** The first item in the viewport, in pixels from its top. Undefined where the viewport shows no list, or its beginning. */
  item?: { key: string; index: number; topPx: number } | undefined;
  /** The index of the last item in the viewport; -1 for none. */
  lastIndex: number;
};

export type EntryState = {
  /** The place in which the visitor was last. */
  place?: Place;
  /** Its search was typed, and is replaced by further typing. */
  isTyped?: boolean;
  /** The shelf that the visitor came from: its address, and how many entries it is behind. */
  shelf?: { address: string; steps: number };
  /** The navigation to it has changed the list on the screen, and neither scrolls nor moves the focus. */
  isInPlace?: true;
  /** Opening a panel has made it: Back closes the panel. */
  isPanel?: true;
  /** The list of orders is behind it. */
  isFromList?: true;
  /** The id of the order that was placed just now. The orders thank for it once. */
  boughtOrder?: string | undefined;
  /** Where the login leads to. */
  returnTo?: string;
};

/** The server, which renders too, has none. */
export const entryState = (): EntryState => globalThis.history?.state ?? {};

/** Changes the entry that is shown. */
export const changeEntry = (changes: EntryState): void => setEntryState({ ...entryState(), ...changes });

export const useEntryState = (): EntryState => useHistoryState<EntryState | null>() ?? {};

/** @param order the response to the order; another host's may be anything. @returns the state of the new history entry. */
export const boughtOrderState = (order: Partial<Order> | null): EntryState => ({ boughtOrder: order?._id });

/** @returns the id of the order; undefined after a reload, and when the screen was opened in another way. */
export const useBoughtOrder = (): string | undefined => {
  const [id] = useState(() => entryState().boughtOrder);
  useEffect(() => {
    if (id !== undefined) changeEntry({ boughtOrder: undefined });
  }, [id]);
  return id;
};
