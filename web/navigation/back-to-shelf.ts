import type { MouseEvent } from 'react';
import { screens } from '../../contract/paths.ts';
import { useEntryState } from '../memory/history.ts';

/** @returns the properties of a link to the shelf. If the visitor came from there, it leads back to their search and place. */
export const useBackToShelf = () => {
  const { shelf } = useEntryState();
  return shelf ? backLink(shelf.address, shelf.steps) : { href: screens.home };
};

/** @returns the properties of a link to an address that is so many steps back in the history, where its screen has its place again. */
export const backLink = (href: string, steps: number) => ({
  href,
  onClick: (event: MouseEvent) => {
    event.preventDefault();
    window.history.go(-steps);
  },
});
