/** Keys are read here alone: what is on a key differs between layouts, and an input method has its own use of them. */
import type { KeyboardEvent as ReactKeyboardEvent } from 'react';

/** The code of older browsers for a key that the input method takes. Safari has it for the Enter that ends a word. */
const takenByInputMethod = 229;

/**
 * @returns the key's name, such as `Escape`, or its character: a letter is a small one, without Shift, and that of an English keyboard
 * where another alphabet is on the key; with Ctrl or ⌘ it is `ctrl k`. Undefined for characters with Alt or AltGr, which type others,
 * and while an input method composes a word.
 */
export const pressedKey = (event: KeyboardEvent | ReactKeyboardEvent): string | undefined => {
  const { key, keyCode, isComposing } = 'nativeEvent' in event ? event.nativeEvent : event;
  if (isComposing || keyCode === takenByInputMethod) return;
  if (key.length > 1) return key;
  const character = onEnglishKeyboard(event) ?? key.toLowerCase();
  const isLetter = /^[a-z]$/.test(character);
  if (event.altKey || event.getModifierState('AltGraph') || (isLetter && event.shiftKey)) return;
  return event.ctrlKey || event.metaKey ? `ctrl ${character}` : character;
};

/** @returns undefined where the layout has the Latin alphabet, whose letters may stand elsewhere (Dvorak, AZERTY). */
const onEnglishKeyboard = ({ key, code, shiftKey }: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>) => {
  // Cyrillic and Hebrew layouts have these in the place of / and ?.
  const isSlash = code === 'Slash' && (key === '.' || key === ',');
  if (!isSlash && !/[^\p{ASCII}\p{Script=Latin}]/u.test(key)) return;
  if (code === 'Slash') return shiftKey ? '?' : '/';
  return /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase();
};

/** @returns true if the characters of keys go into the element. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('textarea, select, input:not([type="checkbox"], [type="radio"])'));
