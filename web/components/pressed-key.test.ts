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

test('a key is a small letter, or its name; a letter that is typed otherwise is none', () => {
  const presses: [layout: string, Press, string | undefined][] = [
    ['English', { key: 'k', code: 'KeyK' }, 'k'],
    ['English, Caps Lock', { key: 'K', code: 'KeyK' }, 'k'],
    ['English, Shift', { key: 'K', code: 'KeyK', shiftKey: true }, undefined],
    ['English, ⌘ and Caps Lock', { key: 'K', code: 'KeyK', metaKey: true }, 'ctrl k'],
    ['English, Ctrl and Shift', { key: 'K', code: 'KeyK', ctrlKey: true, shiftKey: true }, undefined],
    ['English', { key: '/', code: 'Slash' }, '/'],
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
