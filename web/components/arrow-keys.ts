/** The keys of a line of links. Loaded when the focus comes to one: until then each of its links may be a stop of the Tab key. */

import { pressedKey } from './pressed-key.ts';

const lines = new WeakSet<HTMLElement>();

/** Makes a line of links one stop of the Tab key: arrow keys, Home and End move the focus in it. Called again, it does nothing. */
export const addArrowKeys = (line: HTMLElement): void => {
  if (lines.has(line)) return;
  lines.add(line);
  line.addEventListener('keydown', moveFocus);
  line.addEventListener('focusin', () => makeStop(line));
  // A link that is chosen may go, and with it the stop, and others may come.
  new MutationObserver(() => makeStop(line)).observe(line, { childList: true, subtree: true });
  makeStop(line);
};

const linksIn = (line: HTMLElement) => [...line.querySelectorAll('a')];

const makeStop = (line: HTMLElement) => {
  const links = linksIn(line);
  const focused = links.find((link) => link === document.activeElement);
  const stop = focused ?? links.find(({ tabIndex }) => tabIndex === 0) ?? links[0];
  for (const link of links) link.tabIndex = link === stop ? 0 : -1;
};

const moveFocus = (event: KeyboardEvent) => {
  const { currentTarget, target, altKey, ctrlKey, metaKey, shiftKey } = event;
  if (!(currentTarget instanceof HTMLElement) || !(target instanceof HTMLAnchorElement)) return;
  if (altKey || ctrlKey || metaKey || shiftKey) return;
  const links = linksIn(currentTarget);
  const at = links.indexOf(target);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: links.length - 1 }[
    pressedKey(event) ?? ''
  ];
  const link = to === undefined ? undefined : links[to];
  if (!link) return;
  event.preventDefault();
  link.focus();
};
