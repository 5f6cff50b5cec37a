import type { MouseEvent } from 'react';
import { screens } from '../../contract/paths.ts';
import { useEntryState } from '../memory/history.ts';

/**
 * @returns the properties of a link to the shelf. If the visitor came from the shelf, the link goes back in the history, to their search
 * and place.
 */
export const useBackToShelf = () => {
  const { shelf } = useEntryState();
  if (!shelf) return { href: screens.home };
  const onClick = (event: MouseEvent) => {
    event.preventDefault();
    window.history.go(-shelf.steps);
  };
  return { href: shelf.address, onClick };
};
