/**
 * Long lists: their items come in blocks, each an element of its own. A block that is far from the viewport is emptied to a box of its
 * last height, unless it is about to be read: the focus is in it or beside it, or the page is printed.
 */
import { startTransition, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { observeNear } from '../memory/platform.ts';
import { placeInList } from './places.ts';

/** Two viewports, above and below. */
const nearMargin = '200% 0px';

/** A list with this many items or fewer is rendered as a whole, so that the browser finds all words in it. */
const shortList = 60;

type Block<Item> = { index: number; start: number; items: readonly Item[]; isKept: boolean };

/** @returns the items, in blocks of this size. Those of a short list come one after the other, so that no task is long, and stay. */
export const useBlocks = <Item>(items: readonly Item[], size: number): Block<Item>[] => {
  const [kept, setKept] = useState(0);
  const wanted = items.length > shortList ? 0 : Math.ceil(items.length / size);
  useEffect(() => {
    if (kept < wanted) startTransition(() => setKept(kept + 1));
  }, [kept, wanted]);
  return useMemo(
    () =>
      Array.from({ length: Math.ceil(items.length / size) }, (_, index) => {
        const start = index * size;
        return {
          index,
          start,
          items: items.slice(start, start + size),
          isKept: index < Math.min(kept, wanted),
        };
      }),
    [items, size, kept, wanted],
  );
};

type BlockOptions = {
  /** It is rendered before the browser tells what is near, as far as the visitor begins with the list. */
  isFirst: boolean;
  /** The height that it has until it was rendered. */
  guessPx: number;
  /** It is rendered wherever it is: the page is being printed, or an item is about to take the focus. */
  isWanted: boolean;
};

/**
 * @returns `ref`, for the block's element, which has `data-block`; and `emptyPx`, the height that it has without its items; undefined for
 * a block with them.
 */
export const useBlock = <Item, Box extends HTMLElement>(
  block: Block<Item>,
  { isFirst, guessPx, isWanted }: BlockOptions,
) => {
  const ref = useRef<Box>(null);
  const [emptyPx, setEmptyPx] = useState(() => heightAtFirst(block, isFirst, guessPx));
  useEffect(() => {
    const box = ref.current;
    if (!box) return;
    return observeNear(box, nearMargin, (isNear, heightPx) => {
      if (isNear) startTransition(() => setEmptyPx(undefined));
      else if (!hasFocusNear(box)) setEmptyPx(heightPx);
    });
  }, []);
  return { ref, emptyPx: isWanted || block.isKept ? undefined : emptyPx };
};

/** A visitor who comes back sees the blocks at their place as they were. */
const heightAtFirst = <Item>({ index, start, items }: Block<Item>, isFirst: boolean, guessPx: number) => {
  const place = placeInList();
  const isShown = place?.item ? start <= place.lastIndex && place.item.index < start + items.length : isFirst;
  return isShown ? undefined : (place?.blocks[index] ?? guessPx);
};

/** Tab leads from a block to the one beside it. */
const hasFocusNear = (block: HTMLElement): boolean =>
  [block.previousElementSibling, block, block.nextElementSibling].some((near) =>
    near?.contains(document.activeElement),
  );

/** @returns whether the page is being printed. The component renders with `true` before the browser makes the pages. */
export const useIsPrinting = (): boolean => {
  const [isPrinting, setIsPrinting] = useState(false);
  useEffect(() => {
    const begin = () => flushSync(() => setIsPrinting(true));
    const end = () => setIsPrinting(false);
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, []);
  return isPrinting;
};
