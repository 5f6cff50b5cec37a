import { expect, test } from 'vitest';
import { type Drawn, type ListScreen, layoutOf, RowWindow, type Slot, type View } from './row-window.ts';

const viewportPx = 800;
const gapPx = 10;
let kinds = 0;

/**
 * A page with one list, which lays out what the window of rows draws, and renders what it asks for.
 * @param heightOf a row's height by the number of its first item.
 */
const openPage = (count: number, { columns = 1, heightOf = (_item: number): number => 90 } = {}) => {
  let items = Array.from({ length: count }, (_, number) => number);
  let id = 'all';
  let isPrinting = false;
  let pinnedKey: string | undefined;
  let place: ReturnType<ListScreen['place']>;
  let widthPx = 1_000;
  let abovePx = 0;
  let scrollY = 0;
  let view: View | undefined;
  let soon: View | undefined;
  let isStale = false;
  let drawn: Drawn<number>;

  /** The edges of each slot from the top of the page, and the list's end. */
  const layOut = () => {
    let topPx = abovePx;
    const slots = [];
    for (let position = 0; position < drawn.slots.length; ) {
      const slot = drawn.slots[position];
      if (!slot) break;
      const row = 'gapPx' in slot ? [slot] : drawn.slots.slice(position, position + columns);
      const heightPx = 'gapPx' in slot ? slot.gapPx : heightOf(slot.item);
      slots.push(...row.map(() => ({ top: topPx - scrollY, bottom: topPx + heightPx - scrollY })));
      topPx += heightPx + gapPx;
      position += row.length;
    }
    return { slots, heightPx: topPx - gapPx };
  };
  const scrollTo = (px: number) => {
    scrollY = Math.max(0, Math.min(px, layOut().heightPx - viewportPx));
  };
  const rowWindow = new RowWindow<number>(
    layoutOf(`list ${kinds++}`, { columns: 1, rowPx: 50 }),
    {
      heightPx: () => viewportPx,
      isAtTop: () => scrollY === 0,
      scrollBy: (px) => scrollTo(scrollY + px),
      place: () => place,
      restorePlace: () => {
        const indexOf = (isPlace: (slot: Slot<number>) => boolean) => drawn.slots.findIndex(isPlace);
        const found = indexOf(({ key }) => key === place?.items?.key);
        const at =
          found < 0 ? indexOf((slot) => 'index' in slot && slot.index === place?.items?.index) : found;
        if (at >= 0) scrollTo(scrollY + (layOut().slots[at]?.top ?? 0));
      },
      read: () => {
        const { slots, heightPx } = layOut();
        return { list: { top: abovePx - scrollY, bottom: heightPx - scrollY }, widthPx, gapPx, slots };
      },
    },
    (next, when) => {
      if (when === 'now') view = next;
      else soon = next;
      isStale ||= when === 'now';
    },
  );
  const renderOnce = () => {
    isStale = false;
    drawn = rowWindow.draw(view, { id, items, keyOf: String, isPrinting, pinnedKey });
    rowWindow.onDrawn(drawn);
  };
  const render = () => {
    renderOnce();
    for (let renders = 0; isStale || soon; renders += 1) {
      if (renders > 20) throw new Error('It renders again and again.');
      if (!isStale) view = soon;
      if (!isStale) soon = undefined;
      renderOnce();
    }
  };
  const moved = () => {
    rowWindow.onMoved();
    if (isStale || soon) render();
  };

  const rendered = () => drawn.slots.flatMap((slot) => ('index' in slot ? [slot.item] : []));
  const itemsInView = () => {
    const { slots } = layOut();
    return drawn.slots.flatMap((slot, at) => {
      const { top = 0, bottom = 0 } = slots[at] ?? {};
      return bottom > 0 && top < viewportPx ? ['index' in slot ? slot.item : 'blank'] : [];
    });
  };
  return {
    render,
    rendered,
    itemsInView,
    scrollY: () => scrollY,
    heightPx: () => layOut().heightPx,
    topOf: (item: number) =>
      layOut().slots[drawn.slots.findIndex((slot) => 'index' in slot && slot.item === item)]?.top,
    scrollTo: (px: number) => {
      scrollTo(px);
      moved();
    },
    focus: (item: number) => {
      rowWindow.onFocus(String(item), items.indexOf(item));
      render();
    },
    setItems: (next: number[], nextId = id) => {
      items = next;
      id = nextId;
      render();
    },
    print: (isOn: boolean) => {
      isPrinting = isOn;
      render();
    },
    pin: (item: number) => {
      pinnedKey = String(item);
      render();
    },
    /** @param heightPx of what stands above the list. */
    resize: (newColumns: number, heightPx = abovePx) => {
      abovePx = heightPx;
      columns = newColumns;
      widthPx = newColumns * 300;
      moved();
    },
    returnTo: (next: typeof place) => {
      place = next;
      render();
    },
  };
};

const numbers = (start: number, end: number) => Array.from({ length: end - start }, (_, n) => start + n);

test('a short list is rendered as a whole, and of a long one 60 items, on a page as long as with all, wherever it is', () => {
  const short = openPage(60);
  short.render();
  expect(short.rendered()).toEqual(numbers(0, 60));

  const page = openPage(10_000);
  page.render();
  expect(page.rendered()).toEqual(numbers(0, 60));
  expect(page.heightPx()).toBe(10_000 * 100 - gapPx);
  page.scrollTo(500_000);
  expect(page.itemsInView()).not.toContain('blank');
  expect(page.itemsInView()).toContain(5_000);
  expect(page.rendered()).toHaveLength(60);
  // One that is about to take the focus is rendered too.
  page.pin(7_000);
  expect(page.rendered().slice(-3)).toEqual([6_999, 7_000, 7_001]);
});

test('scrolled step by step, each item is in the viewport once, in order, and it is never blank', () => {
  const page = openPage(1_000, { columns: 3, heightOf: (item) => 80 + (item % 7) * 30 });
  page.render();
  const seen: number[] = [];

  while (seen.at(-1) !== 999) {
    expect(page.itemsInView()).not.toContain('blank');
    expect(page.rendered().length).toBeLessThan(100);
    for (const item of page.itemsInView()) if (Number(item) > (seen.at(-1) ?? -1)) seen.push(Number(item));
    page.scrollTo(page.scrollY() + viewportPx / 2);
  }

  expect(seen).toEqual(numbers(0, 1_000));
});

test('rows above the viewport that turn out to have another height move nothing in it', () => {
  const page = openPage(1_000, { heightOf: (item) => (item < 400 ? 290 : 90) });
  page.render();
  page.scrollTo(140_000);
  const [first] = page.itemsInView();
  const before = page.topOf(Number(first));

  page.scrollTo(page.scrollY() - 100);

  expect(page.topOf(Number(first))).toBeCloseTo((before ?? 0) + 100, 0);
});

test('the row with the focus stays with its neighbours, and leaves its place to the next when it is removed', () => {
  const page = openPage(1_000);
  page.render();
  page.focus(8);
  page.scrollTo(50_000);

  expect(page.rendered().slice(0, 3)).toEqual([7, 8, 9]);
  expect(page.rendered()).not.toContain(30);
  page.setItems(numbers(0, 1_000).filter((item) => item !== 8));
  expect(page.rendered().slice(0, 3)).toEqual([7, 9, 10]);
});

test('items that come above the viewport move nothing in it, and at the top of the page they are seen', () => {
  const page = openPage(1_000);
  page.render();
  page.setItems([-1, ...numbers(0, 1_000)]);
  expect(page.itemsInView()[0]).toBe(-1);
  page.scrollTo(20_000);
  const before = page.topOf(205);

  page.setItems([-2, -1, ...numbers(0, 1_000)]);

  expect(page.topOf(205)).toBe(before);
});

test('in a window of another width the first item of the viewport stays in it', () => {
  const page = openPage(1_000, { columns: 4 });
  page.render();
  page.scrollTo(10_000);
  const [first = 0] = page.itemsInView();

  for (const columns of [2, 1, 3]) {
    page.resize(columns);

    expect(page.itemsInView()).toContain(first);
    expect(page.itemsInView()).not.toContain('blank');
  }
});

test('in a window of another width a page that shows the beginning of its list is not scrolled', () => {
  const page = openPage(1_000, { columns: 3 });
  page.render();

  for (const scrolledPx of [0, 60]) {
    page.resize(3, 100);
    page.scrollTo(scrolledPx);
    page.resize(1, 240);

    expect(page.scrollY()).toBe(scrolledPx);
    expect(page.itemsInView()).not.toContain('blank');
  }
});

test('a place in the list is returned to, also in rows of another length or if its item is gone', () => {
  const page = openPage(1_000, { columns: 3 });
  page.returnTo({ items: { key: '601', index: 601 }, focusedKey: '300' });
  expect(page.itemsInView()[0]).toBe(600);
  expect(page.rendered()).toContain(300);

  const other = openPage(1_000);
  other.returnTo({ items: { key: 'gone', index: 500 } });
  expect(other.itemsInView()[0]).toBe(500);
});

test('another list begins at its first item; for print all are rendered, and few again after it', () => {
  const page = openPage(1_000);
  page.render();
  page.focus(500);
  page.setItems(numbers(0, 500), 'a search');
  expect(page.rendered()).toEqual(numbers(0, 60));
  page.scrollTo(10_000);

  page.print(true);
  expect(page.rendered()).toEqual(numbers(0, 500));
  page.print(false);

  expect(page.rendered()).toHaveLength(60);
  expect(page.scrollY()).toBe(10_000);
});
