/** How the browser has laid out the rendered part of a long list. */
import { createRowHeights, type RowHeights, type Rows } from './row-heights.ts';

/** What a list renders in one place: an item, or a gap in place of rows that are not rendered. */
export type Slot<Item> = { key: string; item: Item; index: number } | { key: string; gapPx: number };

/** The layout of all lists of a kind. */
export type ListLayout = {
  heights: RowHeights;
  /** How many items a row has. */
  columns: number;
  widthPx: number;
  /** The gap between two rows. */
  gapPx: number;
};

/** The layout that a list is assumed to have until its first rows are measured. */
export type LayoutGuess = { columns: number; rowPx: number };

/** By the kind of list, until the page is left: a list that is shown again begins with the layout that it had. */
const layouts = new Map<string, ListLayout>();

export const layoutOf = (kind: string, { columns, rowPx }: LayoutGuess): ListLayout => {
  const known = layouts.get(kind);
  if (known) return known;
  const layout = { heights: createRowHeights(rowPx), columns, widthPx: 0, gapPx: 0 };
  layouts.set(kind, layout);
  return layout;
};

/** An item, with the distance to its top from that of the list and from that of the viewport. */
export type Anchor = { key: string; topPx: number; viewportTopPx: number };

/** The list's element, and the slots that are its children. */
export type Rendered<Item> = { list: HTMLElement; slots: readonly Slot<Item>[] };

const topIn = (list: HTMLElement, slot: number): number | undefined => {
  const top = list.children[slot]?.getBoundingClientRect().top;
  return top === undefined ? undefined : top - list.getBoundingClientRect().top;
};

/** @returns whether the columns or the width are new. What was measured before is forgotten then. */
export const readShape = <Item>(layout: ListLayout, { list, slots }: Rendered<Item>): boolean => {
  const columns = countColumns(list, slots, layout.columns);
  const widthPx = list.clientWidth;
  const isNew = columns !== layout.columns || (layout.widthPx > 0 && widthPx !== layout.widthPx);
  if (isNew) layout.heights.clear();
  layout.columns = columns;
  layout.widthPx = widthPx;
  return isNew;
};

/** @returns how many items the first rendered row has; `before` when it is the only row, and not longer. */
const countColumns = <Item>(list: HTMLElement, slots: readonly Slot<Item>[], before: number): number => {
  const first = slots.findIndex((slot) => 'index' in slot);
  if (first < 0) return before;
  const top = topIn(list, first);
  let next = first + 1;
  while (next < slots.length && isItem(slots[next]) && topIn(list, next) === top) next += 1;
  const count = next - first;
  return isItem(slots[next]) ? count : Math.max(count, before);
};

const isItem = <Item>(slot: Slot<Item> | undefined): boolean => slot !== undefined && 'index' in slot;

/**
 * Measures the rendered rows.
 * @returns whether rows that were never rendered, or the gap between two rows, have another height than was assumed.
 */
export const measureRows = <Item>(layout: ListLayout, { list, slots }: Rendered<Item>): boolean => {
  const { heights, columns } = layout;
  const rect = list.getBoundingClientRect();
  const gapPx = Number.parseFloat(getComputedStyle(list).rowGap) || 0;
  const measured = new Map<number, number>();
  let row: { number: number; topPx: number } | undefined;
  for (const [position, slot] of slots.entries()) {
    const isInRow = 'index' in slot && slot.index % columns !== 0;
    const topPx = isInRow ? undefined : topIn(list, position);
    if (topPx === undefined) continue;
    if (row) measured.set(row.number, topPx - row.topPx);
    row = 'index' in slot ? { number: slot.index / columns, topPx } : undefined;
  }
  if (row) measured.set(row.number, rect.height + gapPx - row.topPx);
  const isNewGap = gapPx !== layout.gapPx;
  layout.gapPx = gapPx;
  return heights.measure(measured) || isNewGap;
};

/** @returns the first item in the viewport; undefined when no rendered one is in it. */
export const firstInViewport = <Item>({ list, slots }: Rendered<Item>): Anchor | undefined => {
  const position = slots.findIndex((slot, index) => {
    const rect = list.children[index]?.getBoundingClientRect();
    return isItem(slot) && rect && rect.bottom > 0 && rect.top < window.innerHeight;
  });
  return anchorAt(position, { list, slots });
};

/** @returns the item with this key; undefined when it is not rendered. */
export const anchorOf = <Item>(
  key: string | undefined,
  { list, slots }: Rendered<Item>,
): Anchor | undefined =>
  anchorAt(
    slots.findIndex((slot) => slot.key === key),
    { list, slots },
  );

const anchorAt = <Item>(position: number, { list, slots }: Rendered<Item>): Anchor | undefined => {
  const key = slots[position]?.key;
  const topPx = topIn(list, position);
  if (key === undefined || topPx === undefined) return undefined;
  return { key, topPx, viewportTopPx: list.getBoundingClientRect().top + topPx };
};

/** Scrolls as far as an item has moved in the list, because rows above it have another height than was assumed. */
export const followItem = <Item>(item: Anchor | undefined, rendered: Rendered<Item>): void => {
  const moved = anchorOf(item?.key, rendered);
  if (item && moved) scrollBy(moved.topPx - item.topPx);
};

/** Scrolls an item to where it was in the viewport, also when the browser has scrolled because the page is shorter now. */
export const bringBack = <Item>(item: Anchor | undefined, rendered: Rendered<Item>): void => {
  const moved = anchorOf(item?.key, rendered);
  if (item && moved) scrollBy(moved.viewportTopPx - item.viewportTopPx);
};

const scrollBy = (px: number): void => {
  if (Math.abs(px) >= 1) window.scrollBy(0, px);
};

/** @returns the rows that are in the viewport, whether they are rendered or not. */
export const rowsInViewport = ({ heights }: ListLayout, list: HTMLElement): Rows => {
  const topPx = -list.getBoundingClientRect().top;
  return heights.rowsBetween(topPx, topPx + window.innerHeight);
};
