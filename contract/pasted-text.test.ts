import { expect, test } from 'vitest';
import { fieldsByName } from './book-fields.ts';
import { textOfFormula, tidyText, tidyValue } from './pasted-text.ts';

const unseen = [
  '\u00ad',
  '\u00a0',
  '\u200b',
  '\u200e',
  '\u200f',
  '\u202a',
  '\u202c',
  '\u202e',
  '\u2060',
  '\u2066',
  '\u2069',
  '\u2800',
  '\u3164',
  '\ufeff',
  '\uffa0',
  '\u3000',
  ' \u200b\t',
];

test.each(unseen)('%j is no part of the ends of a text, nor of digits and addresses', (character) => {
  expect(tidyText(`${character}Emma ${character}`)).toBe('Emma');
  expect(tidyText(character)).toBe('');
  expect(tidyValue(`${character}12.99${character}`)).toBe('12.99');
});

test.each([
  ['of Persian', 'کتاب\u200cها'],
  ['of an emoji', '👩\u200d🚀 and ❤\ufe0f'],
  ['of Malayalam, at its end', 'അവന\u0d4d\u200d'],
  ['of an Arabic letter alone, at its end', 'ه\u200d'],
  ['of a title in two directions', 'שלום\u200f! abc'],
])('a character that nobody sees stays within the text %s', (_, text) => {
  expect(tidyText(` \u200b${text}\u2069`)).toBe(text);
});

test.each([
  ['="9780141439587"', '9780141439587'],
  ['=""', ''],
  ["'0141439580", '0141439580'],
  ['"12.99"', '12.99'],
  ['“12.99”', '12.99'],
  ["'https://covers.example/o'hara.jpg", "https://covers.example/o'hara.jpg"],
  ['\u202a="12"\u202c', '12'],
  ["'", ''],
])('a spreadsheet’s wrapping of %j is left out', (text, value) => {
  expect(tidyValue(text)).toBe(value);
});

test.each([
  ['="Emma"', 'Emma'],
  ['="say ""no"""', 'say "no"'],
  ['=1+1', undefined],
  ['\'="Emma"', undefined],
  ["'Salem's Lot", undefined],
])('the formula %j has the text %j', (cell, text) => {
  expect(textOfFormula(cell)).toBe(text);
});

test.each([
  ['1.0', 1],
  ['3,00', 3],
  ['\u200e2', 2],
  ['="4"', 4],
  ['', null],
  ['=""', null],
  ['1.5', undefined],
  ['3,000', undefined],
  ['1e2', undefined],
  ['-1', undefined],
])('%j are %j copies', (text, copies) => {
  expect(fieldsByName.copies.read(text, '')).toBe(copies);
});

test('a long row of blanks costs no time', () => {
  const start = performance.now();
  for (const blanks of [' ', '\u200b', '(', "'", '=']) {
    tidyText(`a${blanks.repeat(60_000)}b`);
    tidyValue(`a${blanks.repeat(60_000)}b`);
  }

  expect(performance.now() - start).toBeLessThan(500);
});
