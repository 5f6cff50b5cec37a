import { useLocation } from 'wouter';
import { withFilters } from '../../api/desk-queries.ts';
import { inPlace } from '../../list/places.ts';
import { useFilters } from '../use-filters.ts';

const names = ['book'] as const;

/** The state of an entry of the history that was made by opening the panel: Back closes it. */
const panelState = { ...inPlace, isPanel: true };

/** The id of the open book is part of the address, so that Back closes it, and a reload and a sign-in return to it. Empty: none. */
export const useOpenBook = () => {
  const { filters, change } = useFilters(names);
  const [path, navigate] = useLocation();
  const open = (id: string) => {
    const others = Object.fromEntries(new URLSearchParams(window.location.search));
    navigate(withFilters(path, { ...others, book: id }), { state: panelState });
  };
  /** Closes the panel of a book, unless another one is shown by now: a response may come late. */
  const close = (id: string) => {
    if (new URLSearchParams(window.location.search).get('book') !== id) return;
    if (window.history.state?.isPanel) window.history.back();
    else change({ book: '' });
  };
  return { openId: filters.book, open, close };
};
