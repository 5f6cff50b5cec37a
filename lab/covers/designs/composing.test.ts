import { describe, expect, test } from 'vitest';
import { capitals, compose, composeColumn, initialOf, lineations } from './composing.ts';
import { castLine, faceFor } from './type-case.ts';

const measure = { face: 'garamond', width: 500, height: 400, maxSize: 120 } as const;

describe('compose', () => {
  test('stays within its measure for any text', () => {
    for (const text of [
      'It',
      'Donaudampfschifffahrtsgesellschaftskapitän',
      'word '.repeat(40),
      'x'.repeat(180),
    ]) {
      const block = compose(text, measure);

      expect(Math.max(...block.lines.map((line) => line.width * block.size))).toBeLessThanOrEqual(500.01);
      expect(block.height).toBeLessThanOrEqual(400.01);
      expect(block.size).toBeLessThanOrEqual(120);
    }
  });

  test('breaks a long title into lines of similar length', () => {
    const { lines } = compose('The Narrow Road to the Deep North and Other Travels', measure);
    const widths = lines.map((line) => line.width);

    expect(lines.length).toBeGreaterThan(2);
    expect(Math.min(...widths) / Math.max(...widths)).toBeGreaterThan(0.6);
  });

  test('widens the leading where accents would touch the line above', () => {
    const plain = compose('ggg\u00a0g HHH', { ...measure, width: 200, leading: 0.7 });
    const accented = compose('ggg\u00a0g ỂỂỂ', { ...measure, width: 200, leading: 0.7 });

    expect(accented.leading / accented.size).toBeGreaterThan(plain.leading / plain.size);
  });

  test('sets no letters for an empty text', () => {
    expect(compose('', measure).lines.every((line) => line.width === 0)).toBe(true);
  });
});

test('a line that ends with a small word counts as a stumble', () => {
  const [one, two] = lineations('House of Mirth', 'garamond', 0, 2);

  expect(one?.stumbles).toBe(0);
  expect(two?.stumbles).toBe(0);
  expect(lineations('Tale of Genji', 'garamond', 0, 3)[2]?.stumbles).toBe(1);
});

test('a column has one ideograph a line', () => {
  expect(composeColumn('紅樓夢', 600, 160).lines).toHaveLength(3);
});

test('capitals follow the language: no accents in Greek, and a dot on the Turkish i', () => {
  expect(capitals('Ὀδύσσεια')).toBe('ΟΔΥΣΣΕΙΑ');
  expect(capitals('İnce ışık')).toBe('İNCE IŞIK');
  expect(capitals('Die Straße')).toBe('DIE STRASSE');
});

test('the initial of a title is not that of its article', () => {
  expect(initialOf('Die Verwandlung')).toBe('V');
  expect(initialOf('“À rebours”')).toBe('À');
  expect(initialOf('The')).toBe('T');
  expect(initialOf('…')).toBe('');
});

describe('a typeface', () => {
  test('sets a whole text in a fallback face if the requested face lacks some of its letters', () => {
    expect(faceFor('Ulysses', 'didone')).toBe('didone');
    expect(faceFor('Ὀδύσσεια', 'didone')).toBe('garamondSemibold');
    expect(faceFor('紅樓夢', 'jost')).toBe('noto');
  });

  test('applies kerning, and leaves out letters that no face has', () => {
    const unkerned = castLine('A', 'garamond').width + castLine('V', 'garamond').width;

    expect(castLine('AV', 'garamond').width).toBeLessThan(unkerned);
    expect(castLine('A😀V', 'garamond').width).toBe(castLine('AV', 'garamond').width);
  });
});
