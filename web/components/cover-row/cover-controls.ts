/** The keys of a list of covers, and its buttons for a pointer. Loaded when the focus or the pointer comes to the list. */

import styles from './cover-controls.module.css';

const lists = new WeakSet<HTMLElement>();

/** Lets the arrow keys, Home and End move the focus among the links of a list. Called again, it does nothing. */
export const addControls = (list: HTMLElement): void => {
  if (lists.has(list)) return;
  lists.add(list);
  list.addEventListener('keydown', moveFocus);
  addButtons(list);
};

const moveFocus = (event: KeyboardEvent) => {
  const { currentTarget, target, key, altKey, ctrlKey, metaKey, shiftKey } = event;
  if (!(currentTarget instanceof HTMLElement) || !(target instanceof HTMLAnchorElement)) return;
  if (altKey || ctrlKey || metaKey || shiftKey) return;
  const links = [...currentTarget.querySelectorAll('a')];
  const at = links.indexOf(target);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: links.length - 1 }[key];
  const link = to === undefined ? undefined : links[to];
  if (!link) return;
  event.preventDefault();
  for (const one of links) one.tabIndex = one === link ? 0 : -1;
  link.focus();
};

/** The buttons are for a pointer alone: the keys do the same, and screen readers have the links. */
const addButtons = (list: HTMLElement) => {
  const back = buttonFor(list, '←', -1);
  const on = buttonFor(list, '→', 1);
  const update = () => {
    back.hidden = list.scrollLeft < 1;
    on.hidden = list.scrollLeft + list.clientWidth > list.scrollWidth - 1;
  };
  list.after(back, on);
  list.addEventListener('scroll', update, { passive: true });
  window.addEventListener('resize', update);
  update();
};

/** A part of the covers stays in view, so that the eye finds its place. */
const scrolledPart = 0.8;

const buttonFor = (list: HTMLElement, sign: string, direction: 1 | -1): HTMLButtonElement => {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = styles['button'] ?? '';
  button.tabIndex = -1;
  button.ariaHidden = 'true';
  button.textContent = sign;
  button.onclick = () => list.scrollBy({ left: direction * scrolledPart * list.clientWidth });
  return button;
};
