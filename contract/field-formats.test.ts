import { expect, test } from 'vitest';
import { formats, isCleanText } from './field-formats.ts';

test('a text of any language is clean, and one with control characters, halves of letters or directions is not clean text', () => {
  const clean = ['', 'Emma', '紅樓夢', '🐉', 'שלום\u200f', '\u061cسلام', 'na\u0308ive', 'a\u00a0b'];
  const unclean = [
    ...['a\u0000', 'a\nb', 'a\tb', '\u007f', '\u0085', '\ud800', 'a\udc00b', '\ude00\ud83d'],
    ...['a\u2028b', 'a\u2029b', '\u202aa', '\u202ea', '\u2066a', 'a\u2069'],
  ];
  expect(clean.filter((text) => !isCleanText(text))).toEqual([]);
  expect(unclean.filter(isCleanText)).toEqual([]);
});

test('a text may have a direction around its lines, which is left out, and none inside', () => {
  expect(formats['line']?.check('\u202aEmma\u202c', '')).toBe(true);
  expect(formats['lines']?.check('\u202aEmma\u202c\n\u2066or not\u2069', '')).toBe(true);
  expect(formats['line']?.check('Em\u202ama', '')).toBe(false);
  expect(formats['lines']?.check('Emma\nEm\u202ama', '')).toBe(false);
});

test('the image of a book may have white space around it, and nothing unclean inside', () => {
  const check = (image: string) => formats['book-image']?.check(image, 'https://shop.example');

  expect(check(' https://covers.example/emma.jpg\n')).toBe(true);
  for (const text of ['\ud800', '\u0000', '\t', '\u2028']) {
    expect(check(`https://covers.example/em${text}ma.jpg`)).toBe(false);
  }
});
