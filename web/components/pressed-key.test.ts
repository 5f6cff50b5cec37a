import { expect, test } from 'vitest';
import { pressedKey } from './pressed-key.ts';

type Press = Partial<KeyboardEvent> & { key: string; isAltGraph?: boolean };

const read = ({ isAltGraph = false, ...press }: Press) =>
  pressedKey({
    code: '',
    keyCode: 0,
    isComposing: false,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    getModifierState: (name: string) => isAltGraph && name === 'AltGraph',
    ...press,
    // A browser's event has more than is read.
  } as KeyboardEvent);

test('a key is the letter of its keyboard, or of the English one where that has other letters', () => {
  const presses: [layout: string, Press, string | undefined][] = [
    ['English', { key: 'k', code: 'KeyK' }, 'k'],
    ['Russian', { key: 'л', code: 'KeyK' }, 'k'],
    ['Russian, Caps Lock', { key: 'Л', code: 'KeyK' }, 'k'],
    ['Arabic', { key: 'ن', code: 'KeyK' }, 'k'],
    ['Korean', { key: 'ㅏ', code: 'KeyK' }, 'k'],
    ['Dvorak', { key: 'k', code: 'KeyV' }, 'k'],
    ['Dvorak, where K is on QWERTY', { key: 't', code: 'KeyK' }, 't'],
    ['Turkish', { key: 'ı', code: 'KeyI' }, 'ı'],
    ['English, Caps Lock', { key: 'K', code: 'KeyK' }, 'k'],
    ['English, Shift', { key: 'K', code: 'KeyK', shiftKey: true }, undefined],
    ['English, ⌘ and Caps Lock', { key: 'K', code: 'KeyK', metaKey: true }, 'ctrl k'],
    ['Russian, Ctrl', { key: 'л', code: 'KeyK', ctrlKey: true }, 'ctrl k'],
    ['English, Ctrl and Shift', { key: 'K', code: 'KeyK', ctrlKey: true, shiftKey: true }, undefined],
    ['English', { key: '/', code: 'Slash' }, '/'],
    ['German', { key: '/', code: 'Digit7', shiftKey: true }, '/'],
    ['German, where / is on QWERTY', { key: '-', code: 'Slash' }, '-'],
    ['Canadian French, where / is on QWERTY', { key: 'é', code: 'Slash' }, 'é'],
    ['Russian', { key: '.', code: 'Slash' }, '/'],
    ['Russian, Shift', { key: ',', code: 'Slash', shiftKey: true }, '?'],
    ['Russian, with Shift and the key beside', { key: '/', code: 'Backslash', shiftKey: true }, '/'],
    ['Polish, AltGr on Linux', { key: 'k', code: 'KeyK', isAltGraph: true }, undefined],
    ['Polish, AltGr on Windows', { key: 'k', code: 'KeyK', ctrlKey: true, altKey: true }, undefined],
    ['a Mac, Option', { key: '˚', code: 'KeyK', altKey: true }, undefined],
    ['Japanese, composing', { key: 'k', code: 'KeyK', isComposing: true }, undefined],
    ['Japanese, the Enter that ends a word in Safari', { key: 'Enter', keyCode: 229 }, undefined],
    ['any', { key: 'Escape', code: 'Escape' }, 'Escape'],
    ['any, a dead key', { key: 'Dead', code: 'Slash' }, 'Dead'],
    ['any, Shift', { key: '?', code: 'Slash', shiftKey: true }, '?'],
  ];
  for (const [layout, press, key] of presses) expect(read(press), `${layout}: ${press.key}`).toBe(key);
});
