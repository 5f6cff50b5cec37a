import { type FocusEvent, startTransition, useEffect, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { placeInList, restoreScroll } from './places.ts';
import { useIsPrinting } from './printing.ts';
import {
  type LayoutGuess,
  type List,
  type ListScreen,
  layoutOf,
  RowWindow,
  type View,
} from './row-window.ts';

type RowWindowOptions<Item> = Omit<List<Item>, 'isPrinting'> & {
  /** The kind of list, whose layout is remembered. */
  kind: string;
  guess: LayoutGuess;
};

/**
 * Renders of a long list what {@link RowWindow} chooses. The view is a state, not an external store of React: only a state is
 * rendered in a transition, and the rows near the viewport come without holding up the scroll.
 * @returns `slots`, the children of the list's element, in order, those of items with `data-key` and `data-index`; and
 * `listProps` for that element.
 */
export const useRowWindow = <Item>({ kind, guess, ...list }: RowWindowOptions<Item>) => {
  const [view, setView] = useState<View>();
  const [{ rowWindow, ref }] = useState(() => {
    const screen = openScreen();
    const show = (next: View, when: 'now' | 'soon') =>
      when === 'now' ? setView(next) : startTransition(() => setView(next));
    return { rowWindow: new RowWindow<Item>(layoutOf(kind, guess), screen, show), ref: screen.setList };
  });
  const isPrinting = useIsPrinting();
  const drawn = rowWindow.draw(view, { ...list, isPrinting });

  useLayoutEffect(() => rowWindow.onDrawn(drawn));
  useEffect(() => {
    const onScroll = () => rowWindow.onMoved();
    // Before the event `scroll` of the same frame, which would measure rows that are no longer right.
    const onResize = () => flushSync(onScroll);
    window.addEventListener('scroll', onScroll, { passive: true });
    window.addEventListener('resize', onResize);
    return () => {
      window.removeEventListener('scroll', onScroll);
      window.removeEventListener('resize', onResize);
    };
  }, [rowWindow]);

  const onFocus = ({ target }: FocusEvent) => {
    const item = target.closest<HTMLElement>('[data-key]');
    if (item) rowWindow.onFocus(item.dataset['key'], Number(item.dataset['index']));
  };
  return { slots: drawn.slots, listProps: { ref, onFocus } };
};

/** @returns the page, for a list whose element `setList` gets. */
const openScreen = (): ListScreen & { setList: (list: HTMLElement | null) => void } => {
  let list: HTMLElement | null = null;
  return {
    setList: (element) => {
      list = element;
    },
    heightPx: () => window.innerHeight,
    isAtTop: () => window.scrollY <= 0,
    scrollBy: (px) => window.scrollBy(0, px),
    place: placeInList,
    restorePlace: restoreScroll,
    read: () =>
      list
        ? {
            list: list.getBoundingClientRect(),
            widthPx: list.clientWidth,
            gapPx: Number.parseFloat(getComputedStyle(list).rowGap) || 0,
            slots: Array.from(list.children, (slot) => slot.getBoundingClientRect()),
          }
        : undefined,
  };
};
