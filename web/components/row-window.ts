import {
  type FocusEvent,
  startTransition,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { placeInList, restoreScroll } from '../memory/places.ts';
import {
  type Anchor,
  bringBack,
  firstInViewport,
  followItem,
  type LayoutGuess,
  layoutOf,
  measureRows,
  type Rendered,
  readShape,
  rowsInViewport,
  type Slot,
} from './list-layout.ts';
import { useIsPrinting } from './printing.ts';
import { clipRows, hasRows, mergeRows, type Rows, rowsAround } from './row-heights.ts';

/** A list with this many items or fewer is rendered as a whole; of a longer one this many, or more on a large screen. */
const itemsAtOnce = 60;
/** As many rows are rendered as fill this many viewports, at least: one above that of the visitor, and one below. */
const viewports = 3;

type RowWindowOptions<Item> = {
  /** The kind of list, whose layout is remembered. */
  kind: string;
  /** Another list of the same kind, such as the result of another search, has another id. */
  listId: string;
  items: readonly Item[];
  /** Returns the item's React key. The function itself stays the same. */
  keyOf: (item: Item) => string;
  /** An item that is rendered wherever it is, because it is about to take the focus. */
  pinnedKey?: string | undefined;
  guess: LayoutGuess;
};

/** `columns`: how many items a row has, of those that `rows` counts. */
type View = { listId: string; columns: number; rows: Rows };

/**
 * Renders only those rows of a long list that are in the viewport or near it, and leaves the room of the others free: the
 * page scrolls as if all were there. Rows may differ in height. The row with the focus stays, with its neighbours, wherever
 * the page is scrolled to, so that Tab finds the next one. For print all rows are rendered.
 * @returns `slots`, the children of the list's element, in order, those of items with `data-key` and `data-index`; and
 * `listProps` for that element.
 */
export const useRowWindow = <Item>(options: RowWindowOptions<Item>) => {
  const { kind, listId, items, keyOf, pinnedKey, guess } = options;
  const layout = layoutOf(kind, guess);
  const { heights } = layout;

  const [view, setView] = useState<View>();
  const columns = view?.columns ?? layout.columns;
  const rowKeys = useMemo(
    () => items.filter((_, index) => index % columns === 0).map(keyOf),
    [items, keyOf, columns],
  );
  heights.setRows(rowKeys);
  const rowCount = rowKeys.length;

  const firstRows = (): Rows => {
    const place = placeInList()?.items;
    if (!place) return heights.rowsBetween(0, window.innerHeight);
    const found = items.findIndex((item) => keyOf(item) === place.key);
    const topPx = heights.offsetOf(Math.floor((found < 0 ? place.index : found) / columns));
    return withNeighbours(heights.rowsBetween(topPx, topPx + window.innerHeight));
  };
  const [focused, setFocused] = useState(() => ({ key: placeInList()?.focusedKey, index: -1 }));
  const isNewList = view?.listId !== listId;
  const { rows } = isNewList ? { rows: firstRows() } : view;
  if (isNewList) {
    setView({ listId, columns, rows });
    // What had the focus in the list before is none of this one.
    if (view) setFocused({ key: undefined, index: -1 });
  }

  const pinnedRows = useMemo(() => {
    const indexOf = (key: string | undefined) =>
      key === undefined ? -1 : items.findIndex((item) => keyOf(item) === key);
    const focusedIndex = indexOf(focused.key);
    // An item that was removed leaves its place to the next one.
    return [focusedIndex < 0 ? focused.index : focusedIndex, indexOf(pinnedKey)]
      .filter((index) => index >= 0)
      .map((index) => Math.floor(index / columns));
  }, [items, keyOf, columns, focused, pinnedKey]);
  const isPrinting = useIsPrinting();
  const wanted = [rows, ...pinnedRows.map((row) => withNeighbours({ start: row, end: row + 1 }))];
  const segments = mergeRows(
    (isPrinting ? [{ start: 0, end: rowCount }] : wanted).map((part) => clipRows(part, rowCount)),
  );

  const slots: Slot<Item>[] = [];
  let end = 0;
  const addGapUntil = (row: number) => {
    const gapPx = heights.offsetOf(row) - heights.offsetOf(end) - layout.gapPx;
    if (row > end) slots.push({ key: `gap until ${row === rowCount ? 'end' : slots.length}`, gapPx });
  };
  for (const segment of segments) {
    addGapUntil(segment.start);
    for (const [offset, item] of items.slice(segment.start * columns, segment.end * columns).entries()) {
      slots.push({ key: keyOf(item), item, index: segment.start * columns + offset });
    }
    end = segment.end;
  }
  addGapUntil(rowCount);

  const list = useRef<HTMLElement>(null);
  const rendered = useRef<Rendered<Item> & { listId: string; segments: Rows[]; rowCount: number }>(undefined);
  /** An item that stays where it is when other rows are rendered. */
  const anchor = useRef<Anchor>(undefined);
  /** Set while what is rendered does not fit the layout: scrolls to the same items when it has been rendered again. */
  const correction = useRef<(rendered: Rendered<Item>) => void>(undefined);

  const setRows = useCallback((rows: Rows) => {
    setView((view) => (!view || isSame(rows, view.rows) ? view : { ...view, rows }));
  }, []);

  /** Renders the list again if it has other columns, another width or other heights than were assumed. */
  const followLayout = useCallback(
    (now: Rendered<Item>, isNewList: boolean): void => {
      const { current: before } = anchor;
      if (readShape(layout, now)) {
        correction.current = isNewList ? restoreScroll : (next) => bringBack(before, next);
        setView((view) => view && inColumns(view, layout.columns));
        return;
      }
      const isNew = measureRows(layout, now);
      const kept = firstInViewport(now);
      anchor.current = kept;
      if (!isNew) return;
      correction.current = isNewList ? restoreScroll : (next) => followItem(kept, next);
      setView((view) => view && { ...view });
    },
    [layout],
  );

  /** Renders the rows in the viewport at once if they are not, and in a transition those near it. */
  const followViewport = useCallback(
    (list: HTMLElement, segments: readonly Rows[], rowCount: number) => {
      const visible = rowsInViewport(layout, list);
      if (!segments.some((segment) => hasRows(segment, visible))) setRows(withNeighbours(visible));
      const size = Math.max(
        Math.ceil(itemsAtOnce / layout.columns),
        viewports * (visible.end - visible.start),
      );
      startTransition(() => setRows(rowsAround(visible, size, rowCount)));
    },
    [layout, setRows],
  );

  useLayoutEffect(() => {
    // The layout on paper is another one, for a moment.
    if (!list.current || isPrinting) return;
    const now = { list: list.current, listId, slots, segments, rowCount };
    const isNewList = rendered.current?.listId !== listId;
    rendered.current = now;
    if (isNewList) anchor.current = undefined;
    else if (correction.current) correction.current(now);
    // At the top of the page a new first row is seen: it is what was just added or restored.
    else if (window.scrollY > 0) followItem(anchor.current, now);
    correction.current = undefined;
    followLayout(now, isNewList);
    if (!correction.current) followViewport(now.list, segments, rowCount);
  });

  const follow = useCallback(() => {
    const { current: now } = rendered;
    if (!now || isPrinting || correction.current) return;
    followLayout(now, false);
    if (!correction.current) followViewport(now.list, now.segments, now.rowCount);
  }, [isPrinting, followLayout, followViewport]);

  useEffect(() => {
    // Before the event `scroll` of the same frame, which would measure rows that are no longer right.
    const onResize = () => flushSync(follow);
    window.addEventListener('scroll', follow, { passive: true });
    window.addEventListener('resize', onResize);
    return () => {
      window.removeEventListener('scroll', follow);
      window.removeEventListener('resize', onResize);
    };
  }, [follow]);

  const ref = useCallback((element: HTMLElement | null) => {
    list.current = element;
  }, []);
  const onFocus = useCallback(({ target }: FocusEvent) => {
    const item = target.closest<HTMLElement>('[data-key]');
    if (item) setFocused({ key: item.dataset['key'], index: Number(item.dataset['index']) });
  }, []);
  return { slots, listProps: { ref, onFocus } };
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

const isSame = (rows: Rows, others: Rows): boolean => rows.start === others.start && rows.end === others.end;

const withNeighbours = ({ start, end }: Rows): Rows => ({ start: start - 1, end: end + 1 });
