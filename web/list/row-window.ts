/**
 * Chooses the rows of a long list that are rendered: those in the viewport or near it, and the one with the focus. Gaps take the
 * place of the others, so the page scrolls as if all were there. It uses neither React nor the document: the layout, the scroll
 * position and the focus are its input, the view to render is its output.
 */
import {
  clipRows,
  createRowHeights,
  hasRows,
  mergeRows,
  type RowHeights,
  type Rows,
  rowsAround,
} from './row-heights.ts';

/** A list with this many items or fewer is rendered as a whole; of a longer one this many, or more on a large screen. */
const itemsAtOnce = 60;
/** Items outside the viewport are added in steps of this many, above and below: a phone takes 50 ms to lay out one step. */
const itemsAtATime = 12;
/** The rendered rows fill at least this many viewports: that of the visitor, one above it and one below it. */
const viewports = 3;

/** A child of a list: an item, or a gap in place of rows that are not rendered. */
export type Slot<Item> = { key: string; item: Item; index: number } | { key: string; gapPx: number };

/** The distances of an element from the top of the viewport, in pixels, as the document names them. */
type Edges = Pick<DOMRect, 'top' | 'bottom'>;

/** How the browser has laid out a list. `slots` are its children. */
type Reading = { list: Edges; widthPx: number; gapPx: number; slots: readonly Edges[] };

/** The part of the page that the list is on. */
export type ListScreen = {
  heightPx: () => number;
  /** Undefined once the list is no longer on the page. */
  read: () => Reading | undefined;
  /** @returns true if the page is scrolled to its top. */
  isAtTop: () => boolean;
  scrollBy: (px: number) => void;
  /** The visitor's place in the list, when it is one to return to. */
  place: () =>
    | { focusedKey?: string | undefined; items?: { key: string; index: number } | undefined }
    | undefined;
  /** Scrolls to that place. */
  restorePlace: () => void;
};

/** The layout that all lists of a kind share. */
type ListLayout = { heights: RowHeights; columns: number; widthPx: number; gapPx: number };

/** The layout that a list is assumed to have until its first rows are measured. */
export type LayoutGuess = { columns: number; rowPx: number };

/** Layouts by the kind of list, kept until the visitor leaves the page: a list that is shown again begins with the layout that it had. */
const layouts = new Map<string, ListLayout>();

export const layoutOf = (kind: string, { columns, rowPx }: LayoutGuess): ListLayout => {
  const layout = layouts.get(kind) ?? { heights: createRowHeights(rowPx), columns, widthPx: 0, gapPx: 0 };
  layouts.set(kind, layout);
  return layout;
};

export type List<Item> = {
  /** Another list of the same kind, such as the result of another search, has another id. */
  id: string;
  items: readonly Item[];
  /** Returns the item's React key. The function itself stays the same. */
  keyOf: (item: Item) => string;
  /** An item that is rendered wherever it is, because it is about to take the focus. */
  pinnedKey?: string | undefined;
  /** True: all rows are rendered and none is measured, because the layout on paper is another one. */
  isPrinting: boolean;
};

/** The rows to render, each of `columns` items, and the item that has the focus. A view is replaced, never changed. */
export type View = {
  listId: string;
  columns: number;
  rows: Rows;
  focused: { key: string | undefined; index: number };
};

/** A list as it is rendered. */
export type Drawn<Item> = {
  list: List<Item>;
  view: View;
  segments: Rows[];
  slots: Slot<Item>[];
  rowCount: number;
};

/** An item, with the distance to its top from that of the list and from that of the viewport. */
type Anchor = { key: string; topPx: number; viewportTopPx: number };

const noFocus = { key: undefined, index: -1 };

export class RowWindow<Item> {
  readonly #layout: ListLayout;
  readonly #screen: ListScreen;
  readonly #show: (view: View, when: 'now' | 'soon') => void;
  #view: View | undefined;
  #drawn: Drawn<Item> | undefined;
  /** An item that stays where it is when other rows are rendered. */
  #anchor: Anchor | undefined;
  /** Set while what is rendered does not fit the layout: scrolls to the same items when it has been rendered again. */
  #correct: (() => void) | undefined;
  #isPrinting = false;
  #rowKeys: { items?: readonly Item[]; columns: number; keys: string[] } = { columns: 0, keys: [] };

  /** @param show renders a view: at once, or when the browser has time. */
  constructor(layout: ListLayout, screen: ListScreen, show: (view: View, when: 'now' | 'soon') => void) {
    this.#layout = layout;
    this.#screen = screen;
    this.#show = show;
  }

  /** @param view the last one that was shown. @returns what to render of the list. */
  draw(view: View | undefined, list: List<Item>): Drawn<Item> {
    const columns = view?.columns ?? this.#layout.columns;
    const rowKeys = this.#keysOfRows(list, columns);
    this.#layout.heights.setRows(rowKeys);
    const rowCount = rowKeys.length;
    const shown = view?.listId === list.id ? view : this.#firstView(list, columns, view === undefined);
    const wanted = list.isPrinting
      ? [{ start: 0, end: rowCount }]
      : [shown.rows, ...pinnedRows(list, shown).map((row) => withNeighbours({ start: row, end: row + 1 }))];
    const segments = mergeRows(wanted.map((part) => clipRows(part, rowCount)));
    return { list, view: shown, segments, slots: this.#slotsOf(list, columns, segments, rowCount), rowCount };
  }

  /** Call it when a list has been rendered, before the browser paints it. */
  onDrawn(drawn: Drawn<Item>): void {
    this.#isPrinting = drawn.list.isPrinting;
    if (this.#isPrinting) return;
    const isNewList = this.#drawn?.list.id !== drawn.list.id;
    this.#drawn = drawn;
    const correct = this.#correct;
    this.#correct = undefined;
    if (isNewList) {
      this.#anchor = undefined;
      this.#change(drawn.view);
    } else if (correct) correct();
    // At the top of the page the visitor sees a new first row: it was just added or restored.
    else if (!this.#screen.isAtTop()) this.#follow(this.#anchor, 'topPx');
    this.#fit(isNewList);
  }

  /** Call it when the page was scrolled, or the window has another size. */
  onMoved(): void {
    if (this.#drawn && !this.#correct && !this.#isPrinting) this.#fit(false);
  }

  onFocus(key: string | undefined, index: number): void {
    const view = this.#view;
    if (!view || (view.focused.key === key && view.focused.index === index)) return;
    this.#change({ ...view, focused: { key, index } }, 'soon');
  }

  #change(view: View, when: 'now' | 'soon' = 'now'): void {
    this.#view = view;
    this.#show(view, when);
  }

  #keysOfRows({ items, keyOf }: List<Item>, columns: number): string[] {
    if (this.#rowKeys.items !== items || this.#rowKeys.columns !== columns)
      this.#rowKeys = { items, columns, keys: items.filter((_, index) => index % columns === 0).map(keyOf) };
    return this.#rowKeys.keys;
  }

  #firstView({ id, items, keyOf }: List<Item>, columns: number, isFirst: boolean): View {
    const { heights } = this.#layout;
    const place = this.#screen.place();
    const rowsAt = (topPx: number) => heights.rowsBetween(topPx, topPx + this.#screen.heightPx());
    let rows = rowsAt(0);
    if (place?.items) {
      const found = items.findIndex((item) => keyOf(item) === place.items?.key);
      const row = Math.floor((found < 0 ? place.items.index : found) / columns);
      rows = withNeighbours(rowsAt(heights.offsetOf(row)));
    }
    // The item that had the focus in the earlier list is not in this one.
    return { listId: id, columns, rows, focused: isFirst ? { key: place?.focusedKey, index: -1 } : noFocus };
  }

  #slotsOf(
    { items, keyOf }: List<Item>,
    columns: number,
    segments: readonly Rows[],
    rowCount: number,
  ): Slot<Item>[] {
    const { heights, gapPx: betweenRowsPx } = this.#layout;
    const slots: Slot<Item>[] = [];
    let end = 0;
    const addGapUntil = (row: number) => {
      const gapPx = heights.offsetOf(row) - heights.offsetOf(end) - betweenRowsPx;
      if (row > end) slots.push({ key: `gap until ${row === rowCount ? 'end' : slots.length}`, gapPx });
    };
    for (const segment of segments) {
      addGapUntil(segment.start);
      const first = segment.start * columns;
      for (const [offset, item] of items.slice(first, segment.end * columns).entries())
        slots.push({ key: keyOf(item), item, index: first + offset });
      end = segment.end;
    }
    addGapUntil(rowCount);
    return slots;
  }

  /** Renders the list again if its layout is another one than was assumed, or if rows in the viewport are missing. */
  #fit(isNewList: boolean): void {
    const { restorePlace } = this.#screen;
    const view = this.#view;
    const before = this.#anchor;
    const reading = this.#screen.read();
    if (!view || !reading) return;
    if (this.#readShape(reading)) {
      // The part above a list that begins in the viewport changes its height too: the page stays where it is.
      const kept = before && before.viewportTopPx < before.topPx ? before : undefined;
      this.#correct = isNewList ? restorePlace : () => this.#follow(kept, 'viewportTopPx');
      this.#change(inColumns(view, this.#layout.columns));
      return;
    }
    const isNew = this.#measure(reading);
    const anchor = this.#firstInViewport(reading);
    this.#anchor = anchor;
    if (isNew) {
      this.#correct = isNewList ? restorePlace : () => this.#follow(anchor, 'topPx');
      this.#change({ ...view });
    } else this.#fillViewport(reading);
  }

  /** Renders the rows in the viewport at once if they are not, and soon those near it. */
  #fillViewport({ list }: Reading): void {
    const { heights, columns } = this.#layout;
    const { segments = [], rowCount = 0 } = this.#drawn ?? {};
    const visible = heights.rowsBetween(-list.top, this.#screen.heightPx() - list.top);
    if (!segments.some((segment) => hasRows(segment, visible)))
      this.#showRows(withNeighbours(visible), 'now');
    const size = Math.max(Math.ceil(itemsAtOnce / columns), viewports * (visible.end - visible.start));
    const step = Math.ceil(itemsAtATime / columns);
    const { rows = visible } = this.#view ?? {};
    const wanted = rowsAround(visible, size, rowCount);
    const start = Math.max(wanted.start, rows.start - step);
    this.#showRows({ start, end: Math.min(wanted.end, rows.end + step) }, 'soon');
  }

  #showRows(rows: Rows, when: 'now' | 'soon'): void {
    if (this.#view && !(hasRows(rows, this.#view.rows) && hasRows(this.#view.rows, rows)))
      this.#change({ ...this.#view, rows }, when);
  }

  /** @returns true if the columns or the width are new. The heights that were measured before are forgotten then. */
  #readShape({ widthPx, slots }: Reading): boolean {
    const layout = this.#layout;
    const columns = this.#countColumns(slots);
    const isNew = columns !== layout.columns || (layout.widthPx > 0 && widthPx !== layout.widthPx);
    if (isNew) layout.heights.clear();
    Object.assign(layout, { columns, widthPx });
    return isNew;
  }

  /** @returns how many items the first rendered row has. If it is the only row and not longer than before: as many as before. */
  #countColumns(edges: readonly Edges[]): number {
    const { slots = [] } = this.#drawn ?? {};
    const isItem = (position: number) => 'index' in (slots[position] ?? {});
    const first = slots.findIndex((slot) => 'index' in slot);
    if (first < 0) return this.#layout.columns;
    let next = first + 1;
    while (isItem(next) && edges[next]?.top === edges[first]?.top) next += 1;
    return isItem(next) ? next - first : Math.max(next - first, this.#layout.columns);
  }

  /** @returns true if rows that were never rendered, or the gap between two rows, have another height than was assumed. */
  #measure({ list, gapPx, slots: edges }: Reading): boolean {
    const layout = this.#layout;
    const { heights, columns } = layout;
    const isNewGap = gapPx !== layout.gapPx;
    const measured = new Map<number, number>();
    let row: { number: number; topPx: number } | undefined;
    for (const [position, slot] of (this.#drawn?.slots ?? []).entries()) {
      const topPx = edges[position]?.top;
      if (topPx === undefined || ('index' in slot && slot.index % columns !== 0)) continue;
      if (row) measured.set(row.number, topPx - row.topPx);
      row = 'index' in slot ? { number: slot.index / columns, topPx } : undefined;
    }
    if (row) measured.set(row.number, list.bottom + gapPx - row.topPx);
    layout.gapPx = gapPx;
    return heights.measure(measured) || isNewGap;
  }

  #firstInViewport(reading: Reading): Anchor | undefined {
    const heightPx = this.#screen.heightPx();
    return this.#anchorAt(reading, (slot, { top, bottom }) =>
      'index' in slot ? bottom > 0 && top < heightPx : false,
    );
  }

  #anchorAt(
    { list, slots: edges }: Reading,
    isWanted: (slot: Slot<Item>, edges: Edges) => boolean,
  ): Anchor | undefined {
    for (const [position, slot] of (this.#drawn?.slots ?? []).entries()) {
      const at = edges[position];
      if (at && isWanted(slot, at)) return { key: slot.key, topPx: at.top - list.top, viewportTopPx: at.top };
    }
    return undefined;
  }

  /**
   * Scrolls as far as an item has moved: in the list, where rows above it have another height than was assumed; or in the viewport,
   * also when the browser has scrolled because the page is shorter now.
   */
  #follow(item: Anchor | undefined, distance: 'topPx' | 'viewportTopPx'): void {
    const reading = this.#screen.read();
    const moved = item && reading && this.#anchorAt(reading, ({ key }) => key === item.key);
    const px = moved ? moved[distance] - item[distance] : 0;
    if (Math.abs(px) >= 1) this.#screen.scrollBy(px);
  }
}

/**
 * @returns the row of the item with the focus, and that of the item that is about to take it. If the focused item was removed, the next
 * item has its place.
 */
const pinnedRows = <Item>({ items, keyOf, pinnedKey }: List<Item>, { columns, focused }: View): number[] => {
  const indexOf = (key: string | undefined) =>
    key === undefined ? -1 : items.findIndex((item) => keyOf(item) === key);
  const focusedIndex = indexOf(focused.key);
  return [focusedIndex < 0 ? focused.index : focusedIndex, indexOf(pinnedKey)]
    .filter((index) => index >= 0)
    .map((index) => Math.floor(index / columns));
};

/** @returns the same items, in rows of another length. */
const inColumns = (view: View, columns: number): View => ({
  ...view,
  columns,
  rows: {
    start: Math.floor((view.rows.start * view.columns) / columns),
    end: Math.ceil((view.rows.end * view.columns) / columns),
  },
});

const withNeighbours = ({ start, end }: Rows): Rows => ({ start: start - 1, end: end + 1 });
