/**
 * Long lists: their items are grouped into blocks, each an element. A block far from the viewport is emptied to a box of its last height,
 * unless it may be needed: the focus is in it or beside it, or the page is printed.
 */
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { observeNear } from '../memory/platform.ts';
import { placeInList } from './places.ts';

/** A block is near if it is within two viewport heights, above or below. */
const nearMargin = '200% 0px';

/** `start`: the index of the block's first item. */
export type Block<Item> = { start: number; items: readonly Item[] };

/** @returns the items, in blocks of this size. */
export const blocksOf = <Item>(items: readonly Item[], size: number): Block<Item>[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => ({
    start: index * size,
    items: items.slice(index * size, (index + 1) * size),
  }));

/** Blocks that have come near. Each is rendered in a frame of its own: a fast scroll brings five at once, which would be a long task. */
const waiting = new Set<() => void>();
let frame = 0;

const renderNext = () => {
  const [render] = waiting;
  if (render) waiting.delete(render);
  render?.();
  frame = waiting.size > 0 ? requestAnimationFrame(renderNext) : 0;
};

type BlockOptions = {
  /** True if the block is rendered before the browser reports which blocks are near, because the visitor starts at the top of the list. */
  isFirst: boolean;
  /** The block's estimated height before it is rendered. */
  guessPx: number;
};

/** @returns `ref`, for the block's element; and `emptyPx`, the height of an emptied block; undefined for a block with its items. */
export const useBlock = <Item, Box extends HTMLElement>(
  { start, items }: Block<Item>,
  { isFirst, guessPx }: BlockOptions,
) => {
  const isPrinting = useIsPrinting();
  const ref = useRef<Box>(null);
  const [emptyPx, setEmptyPx] = useState(() => {
    // The block at a returning visitor's place is rendered with its items.
    const { item, lastIndex = -1 } = placeInList() ?? {};
    const isShown = item ? start <= lastIndex && item.index < start + items.length : isFirst;
    return isShown ? undefined : guessPx;
  });
  useEffect(() => {
    const box = ref.current;
    if (!box) return;
    const render = () => setEmptyPx(undefined);
    return observeNear(box, nearMargin, (isNear, heightPx) => {
      if (isNear) {
        waiting.add(render);
        if (frame === 0) frame = requestAnimationFrame(renderNext);
      } else {
        waiting.delete(render);
        if (!hasFocusNear(box)) setEmptyPx(heightPx);
      }
    });
  }, []);
  return { ref, emptyPx: isPrinting ? undefined : emptyPx };
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
