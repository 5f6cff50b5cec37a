import { useQueryClient } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { Link, useLocation } from 'wouter';
import { screens } from '../../contract/paths.ts';
import { bookPreview } from '../api/catalogue.ts';
import { afterPaint } from '../memory/platform.ts';

type BookLinkProps = Omit<ComponentProps<'a'>, 'href' | 'ref'> & { bookId: string };

/** A link to the page of a book, which is fetched when the pointer, a finger or the focus reaches the link. */
export const BookLink = ({ bookId, onClick, ...rest }: BookLinkProps) => {
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const href = screens.book(bookId);
  const fetchBook = () => void queryClient.prefetchQuery(bookPreview(bookId));
  return (
    <Link
      href={href}
      onPointerEnter={fetchBook}
      onFocusCapture={fetchBook}
      onClick={(event) => {
        onClick?.(event);
        // The browser shows the press before the page is rendered.
        event.preventDefault();
        afterPaint(() => navigate(href));
      }}
      {...rest}
    />
  );
};
