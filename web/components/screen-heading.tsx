import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { onScreenShown } from '../list/places.ts';

type ScreenHeadingProps = {
  /** The document's title. No other component sets it. */
  title: string;
  /** True if something else on the screen is larger, such as the title of a book. */
  isQuiet?: boolean;
  children: ReactNode;
};

/** A screen's h1. When it appears, it sets the document's title and takes the focus: a screen reader reads it out. */
export const ScreenHeading = ({ title, isQuiet = false, children }: ScreenHeadingProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = title;
    onScreenShown(heading.current);
  }, [title]);
  return (
    <h1 ref={heading} tabIndex={-1} data-is-quiet={isQuiet || undefined}>
      {children}
    </h1>
  );
};

/** Call this function when the focused element goes, and no other element beside it can take the focus. */
export const focusHeading = (): void => document.querySelector('h1')?.focus({ preventScroll: true });
