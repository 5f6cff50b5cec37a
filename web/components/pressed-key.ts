/** All keys are read in this module: layouts differ in what is on a key, and input methods use keys themselves. */
import { type KeyboardEvent as ReactKeyboardEvent, useEffect, useEffectEvent } from 'react';

/** The code that older browsers give for a key that the input method uses; in Safari also for the Enter that ends a word. */
const takenByInputMethod = 229;

/**
 * @returns the key's name, such as `Escape`, or its character: a letter in lower case, without Shift; with Ctrl or ⌘ such as `ctrl k`.
 * Undefined for characters with Alt or AltGr, which type other characters, and while an input method composes a word.
 */
export const pressedKey = (event: KeyboardEvent | ReactKeyboardEvent): string | undefined => {
  const { key, keyCode, isComposing } = 'nativeEvent' in event ? event.nativeEvent : event;
  if (isComposing || keyCode === takenByInputMethod) return;
  if (key.length > 1) return key;
  const character = key.toLowerCase();
  const isLetter = /^[a-z]$/.test(character);
  if (event.altKey || event.getModifierState('AltGraph') || (isLetter && event.shiftKey)) return;
  return event.ctrlKey || event.metaKey ? `ctrl ${character}` : character;
};

/** Shortcuts of the whole page, and what each does. They work while nobody types and no panel is open. */
export const useShortcuts = (acts: Readonly<Record<string, () => void>>): void => {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const act = acts[pressedKey(event) ?? ''];
    if (!act || isTyping(event.target) || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
};

/** @returns true if the element takes typed characters. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('textarea, select, input:not([type="checkbox"], [type="radio"])'));
