import type { MouseEvent } from 'react';

const focusContent = (event: MouseEvent) => {
  // Without this, the link would add an entry to the history.
  event.preventDefault();
  const main = document.querySelector('main');
  if (!main) return;
  main.tabIndex = -1;
  main.focus();
  // The attribute is removed again: otherwise a click on the text of the screen would focus all of it.
  main.addEventListener('blur', () => main.removeAttribute('tabindex'), { once: true });
};

/** The first stop of the Tab key on every page: it leads past the navigation. */
export const SkipLink = () => (
  // biome-ignore lint/a11y/useValidAnchor: it leads to a place in the page.
  <a className="raised skip" data-no-print href="#content" onClick={focusContent}>
    Skip to content
  </a>
);
