import type { MouseEvent } from 'react';
import { screens } from '../../contract/paths.ts';
import { useEntryState } from '../memory/history.ts';

/**
 * @returns the properties of a link to the shelf. If the visitor came from it, the link goes back as the browser does: to their search
 * and their place.
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
