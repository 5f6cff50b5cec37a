import { expect, test } from 'vitest';
import { coverWords, initialOf, isUpright, setTitle, titleSizes } from './cover-title.ts';
import { layouts } from './drawn-cover.ts';

const words = (title: string, author = 'A. Writer') => coverWords({ title, author });

test('a title is split from its series and its subtitle', () => {
  const parts = (title: string) => {
    const { series, title: main, subtitle } = words(title);
    return [series, main, subtitle];
  };
  expect(
    [
      'Ulysses',
      'Bayou Moon (The Edge, #2)',
      'Ranma ½, Vol. 1 (Ranma ½ (US 2nd), #1)',
      'The Silmarillion (Middle-Earth Universe)',
      'Freakonomics: The Hidden Side of Everything (Freakonomics, #1)',
      'The Chronicles of Narnia (Chronicles of Narnia, #1-7; Narnia, #9)',
      'Moby-Dick; or, The Whale',
      'The Life of Olaudah Equiano, or Gustavus Vassa',
      '三体：黒暗森林',
      'Nickel and Dimed: On (Not) Getting By in America',
      'Who: What? (A',
      '(#2)',
      '',
    ].map(parts),
  ).toEqual([
    ['', 'Ulysses', ''],
    ['The Edge, 2', 'Bayou Moon', ''],
    ['Ranma ½ (US 2nd), 1', 'Ranma ½, Vol. 1', ''],
    ['Middle-Earth Universe', 'The Silmarillion', ''],
    ['Freakonomics, 1', 'Freakonomics', ''],
    ['Chronicles of Narnia, 1-7', 'The Chronicles of Narnia', ''],
    ['', 'Moby-Dick', 'or, The Whale'],
    ['', 'The Life of Olaudah Equiano', 'or Gustavus Vassa'],
    ['', '三体', '黒暗森林'],
    ['', 'Nickel and Dimed', 'On (Not) Getting By in America'],
    ['', 'Who', 'What? (A'],
    ['', '(#2)', ''],
    ['', '', ''],
  ]);
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
  expect(sizeOf('Tractatus Logico-Philosophicus')).toBe(10.5);
  expect(sizeOf('Extremely Loud and Incredibly Close')).toBe(10.5);
  expect(sizeOf('The Curious Incident of the Dog in the Night-Time (Mysteries, #1)')).toBe(7.5);
  // It is cut.
  expect(sizeOf('On and on '.repeat(40))).toBe(6);
});

test('a title of Chinese or Japanese letters alone is set in columns, where there is room for them', () => {
  const isVertical = (title: string, mayBe = true) => setTitle(words(title), layouts.top, mayBe).isVertical;
  expect(['紅樓夢', 'ノルウェイの森', '三体 (Three Body)'].map((title) => isVertical(title))).toEqual([
    true,
    true,
    true,
  ]);
  expect(['Emma', '三体 II', '채식주의자', ''].map((title) => isVertical(title))).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(isVertical('紅樓夢', false)).toBe(false);
});

test('lines of letters with marks above each other are taller', () => {
  const isTall = (title: string) => setTitle(words(title), layouts.top, false).isTall;
  expect(['Những ngày', 'ปู่ย่าตายาย', 'पृथ्वी', 'كليلة', 'Émile', 'Ἰλιάς', '紅樓夢'].map(isTall)).toEqual([
    ...[true, true, true, true],
    ...[false, false, false],
  ]);
});

test('the letters of East Asia stand upright in a column', () => {
  expect(
    ['紅樓夢', 'Norwegian の', '채식주의자', '𠮷野', 'Alice’s', '“It’s” — 1984…', 'كليلة'].map(isUpright),
  ).toEqual([...[true, true, true, true], ...[false, false, false]]);
});
