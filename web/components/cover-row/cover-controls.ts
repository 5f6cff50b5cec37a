/** The keys of a list of covers, and its buttons for a pointer. Loaded when the focus or the pointer comes to the list. */

import { addArrowKeys } from '../arrow-keys.ts';
import styles from './cover-controls.module.css';

const lists = new WeakSet<HTMLElement>();

/** Adds both to a list. Called again, it does nothing. */
export const addControls = (list: HTMLElement): void => {
  if (lists.has(list)) return;
  lists.add(list);
  addArrowKeys(list);
  addButtons(list);
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
