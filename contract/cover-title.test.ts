import { expect, test } from 'vitest';
import { coverWords, initialOf, isUpright, setTitle, titleSizes } from './cover-title.ts';
import { layouts } from './drawn-cover.ts';

const words = (title: string, author = 'A. Writer') => coverWords({ title, author });

test('a title is split from its series and its subtitle', () => {
  const parts = {
    Ulysses: ['', 'Ulysses', ''],
    'Ranma ½, Vol. 1 (Ranma ½ (US 2nd), #1)': ['Ranma ½ (US 2nd), 1', 'Ranma ½, Vol. 1', ''],
    'The Silmarillion (Middle-Earth Universe)': ['Middle-Earth Universe', 'The Silmarillion', ''],
    'Freakonomics: The Hidden Side (Freakonomics, #1)': ['Freakonomics, 1', 'Freakonomics', ''],
    'Narnia (Chronicles of Narnia, #1-7; Narnia, #9)': ['Chronicles of Narnia, 1-7', 'Narnia', ''],
    'Moby-Dick; or, The Whale': ['', 'Moby-Dick', 'or, The Whale'],
    'Olaudah Equiano, or Gustavus Vassa': ['', 'Olaudah Equiano', 'or Gustavus Vassa'],
    '三体：黒暗森林': ['', '三体', '黒暗森林'],
    'Nickel and Dimed: On (Not) Getting By': ['', 'Nickel and Dimed', 'On (Not) Getting By'],
    'Who: What? (A': ['', 'Who', 'What? (A'],
    '(#2)': ['', '(#2)', ''],
    '': ['', '', ''],
  };
  const found = Object.keys(parts).map((text) => {
    const { series, title, subtitle } = words(text);
    return [text, [series, title, subtitle]];
  });
  expect(Object.fromEntries(found)).toEqual(parts);
});

test('of many authors the first one is on the cover', () => {
  expect(words('It', 'Jacob Grimm, Wilhelm Grimm').author).toBe('Jacob Grimm, Wilhelm Grimm');
  expect(words('It', 'J.K. Rowling, Mary GrandPré, Rufus Beck').author).toBe('J.K. Rowling');
});

test('the initial is that of the word by which a title is sorted', () => {
  expect(['The Hobbit', 'Emma', '“salem’s Lot', '1984', '紅樓夢', 'Ὀδύσσεια', '…'].map(initialOf)).toEqual([
    ...['H', 'E', 'S', '1', '紅', 'Ὀ'],
    undefined,
  ]);
});

const sizeOf = (title: string, author?: string) =>
  titleSizes[setTitle(words(title, author), layouts.top, true).size];

test('a title is set as large as its longest word and its room allow', () => {
  expect(sizeOf('It')).toBe(17);
  expect(sizeOf('Soccernomics: Why England Loses')).toBe(10.5);
  expect(sizeOf('The Curious Incident of the Dog in the Night-Time (Mysteries, #1)')).toBe(8);
  // The title is cut.
  expect(sizeOf('On and on '.repeat(40))).toBe(6);
});

test('a title of Chinese or Japanese letters alone is set in columns, where there is room for them', () => {
  const isVertical = (title: string, mayBe = true) => setTitle(words(title), layouts.top, mayBe).isVertical;
  const titles = ['紅樓夢', 'ノルウェイの森', '三体 (Three Body)', 'Emma', '三体 II', '채식주의자', ''];
  expect(titles.filter((title) => isVertical(title))).toEqual(titles.slice(0, 3));
  expect(isVertical('紅樓夢', false)).toBe(false);
});

test('lines of letters with marks above each other are taller', () => {
  const isTall = (title: string) => setTitle(words(title), layouts.top, false).isTall;
  const titles = ['Những ngày', 'ปู่ย่าตายาย', 'पृथ्वी', 'كليلة', 'Émile', 'Ἰλιάς', '紅樓夢'];
  expect(titles.filter(isTall)).toEqual(titles.slice(0, 4));
});

test('the letters of East Asia stand upright in a column', () => {
  const texts = ['紅樓夢', 'Norwegian の', '채식주의자', '𠮷野', 'Alice’s', '“It’s” — 1984…', 'كليلة'];
  expect(texts.filter(isUpright)).toEqual(texts.slice(0, 4));
});
