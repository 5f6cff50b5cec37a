import { expect, test } from 'vitest';
import { compareVolumes, seriesIn, volumeText, withoutSeries } from './series.ts';

test('a series and its number are read from the end of a title, and from nothing else', () => {
  const volumes = {
    'The Fellowship of the Ring (The Lord of the Rings, #1)': 'The Lord of the Rings, book 1',
    'Harry Potter and the Sorcerer’s Stone (Harry Potter #1)': 'Harry Potter, book 1',
    'Narnia (Chronicles of Narnia, #1-7; Narnia, #9)': 'Chronicles of Narnia, books 1-7',
    'Dune (Dune, #5, Part 1)': 'Dune, book 5, Part 1',
    'The Sword of Shannara (The Original Shannara Trilogy, # 1.5 )':
      'The Original Shannara Trilogy, book 1.5',
    '三体 (地球往事, #1)': '地球往事, book 1',
    'Saga (Saga, #Omnibus)': 'Saga, Omnibus',
  };
  const found = Object.keys(volumes).map((title) => [title, volumeText(seriesIn(title) ?? {})]);
  expect(Object.fromEntries(found)).toEqual(volumes);
  expect(withoutSeries('三体 (地球往事, #1)')).toBe('三体');

  for (const title of [
    ...['Emma', 'R.U.R. (Rossum’s Universal Robots)', 'The Silmarillion (Middle-Earth Universe)', '(#2)'],
    ...['(The Edge, #2) Bayou Moon', 'Ranma ½ (Ranma ½ (US 2nd), #1)', `Long (${'a'.repeat(201)}, #1)`],
    ...[`Number (A, #${'1'.repeat(21)})`, `${'( '.repeat(250)}#`, `(${' '.repeat(498)}#`],
    // It takes no time, also with blanks on both sides.
    `(${' '.repeat(250)}#${' '.repeat(248)}x`,
  ]) {
    expect(seriesIn(title), title).toBeUndefined();
    expect(withoutSeries(title)).toBe(title);
  }
  expect([volumeText({ series: 'Discworld' }), volumeText({ seriesNumber: '4' })]).toEqual(['Discworld', '']);
});

test('volumes come by their numbers, then what has another text, such as box sets, then what has none', () => {
  const inOrder = ['0.5', '1', '1.5', '2', '10', '1-3', '4-6', null];
  const shuffled = ['10', null, '4-6', '2', '1.5', '1-3', '1', '0.5'].map((seriesNumber) => ({
    seriesNumber,
  }));

  expect(shuffled.sort(compareVolumes).map(({ seriesNumber }) => seriesNumber)).toEqual(inOrder);
});
