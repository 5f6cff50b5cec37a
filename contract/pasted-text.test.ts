import { expect, test } from 'vitest';
import { fieldsByName } from './book-fields.ts';
import { textOfFormula, tidyText, tidyValue } from './pasted-text.ts';

test('what nobody sees is no part of the ends of a text, nor of digits and addresses', () => {
  const unseen =
    '\u00ad \u00a0 \u200b \u200e \u200f \u202a \u202c \u202e \u2060 \u2066 \u2069 \u2800 \u3164 \ufeff \uffa0 \u3000';
  for (const character of [...unseen.split(' '), ' \u200b\t']) {
    expect(tidyText(`${character}Emma ${character}`), JSON.stringify(character)).toBe('Emma');
    expect(tidyText(character)).toBe('');
    expect(tidyValue(`${character}12.99${character}`)).toBe('12.99');
  }
  // The character stays inside a text of Persian, Malayalam, Arabic or Hebrew, or one with an emoji.
  const kept = ['کتاب\u200cها', 'അവന\u0d4d\u200d', 'ه\u200d', 'שלום\u200f! abc', '👩\u200d🚀 and ❤\ufe0f'];
  expect(kept.map((text) => tidyText(` \u200b${text}\u2069`))).toEqual(kept);
});

test('a spreadsheet’s wrapping is left out', () => {
  const values = {
    ...{ '="9780141439587"': '9780141439587', '=""': '', "'0141439580": '0141439580', "'": '' },
    ...{ '"12.99"': '12.99', '“12.99”': '12.99', '\u202a="12"\u202c': '12' },
    "'https://covers.example/o'hara.jpg": "https://covers.example/o'hara.jpg",
  };
  const tidied = Object.keys(values).map((text) => [text, tidyValue(text)]);
  expect(Object.fromEntries(tidied)).toEqual(values);
  const cells = ['="Emma"', '="say ""no"""', '=1+1', '\'="Emma"', "'Salem's Lot"];
  expect(cells.map(textOfFormula)).toEqual(['Emma', 'say "no"', undefined, undefined, undefined]);
  const copies = ['1.0', '3,00', '\u200e2', '="4"', '', '=""', '1.5', '3,000', '1e2', '-1'];
  expect(copies.map((text) => fieldsByName.copies.read(text, ''))).toEqual([
    ...[1, 3, 2, 4, null, null, undefined, undefined, undefined, undefined],
  ]);
});

test('a long row of blanks costs no time', () => {
  const start = performance.now();
  for (const blanks of [' ', '\u200b', '(', "'", '=']) {
    tidyText(`a${blanks.repeat(60_000)}b`);
    tidyValue(`a${blanks.repeat(60_000)}b`);
  }

  expect(performance.now() - start).toBeLessThan(500);
});
