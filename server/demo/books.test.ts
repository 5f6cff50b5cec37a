import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { subjectsOf } from '../../contract/subjects.ts';
import { demoBooks } from './books.ts';
import { coverFile, coversFolder } from './catalogue.ts';

test('the demo has at least 48 books, all different', () => {
  const names = new Set(demoBooks.map(({ title, author }) => `${title}\n${author}`));

  expect(demoBooks.length).toBeGreaterThanOrEqual(48);
  expect(names.size).toBe(demoBooks.length);
});

test('prices are whole cents between 6.50 and 34.00', () => {
  for (const { title, priceCents } of demoBooks) {
    expect(Number.isInteger(priceCents), title).toBe(true);
    expect(priceCents, title).toBeGreaterThanOrEqual(650);
    expect(priceCents, title).toBeLessThanOrEqual(3400);
  }
});

test('each book has a subject that others have too', () => {
  const subjects = demoBooks.map(({ keywords }) => subjectsOf(keywords));
  const all = subjects.flat();
  const isShared = (subject: string) => all.indexOf(subject) !== all.lastIndexOf(subject);

  expect(subjects.filter((ofBook) => !ofBook.some(isShared))).toEqual([]);
  expect(new Set(all.filter(isShared)).size).toBeGreaterThanOrEqual(8);
});

test('each book has a description of a few lines, and no two the same', () => {
  const descriptions = new Set(demoBooks.map(({ description }) => description));

  expect(descriptions.size).toBe(demoBooks.length);
  for (const { title, description } of demoBooks) {
    expect(description.length, title).toBeGreaterThan(40);
    expect(description.length, title).toBeLessThanOrEqual(240);
  }
});

test('titles and authors are trimmed and in Unicode NFC, so that a search finds them as they are typed', () => {
  for (const { title, author } of demoBooks) {
    for (const text of [title, author]) expect(text).toBe(text.normalize('NFC').trim());
  }
});

test('the folder of covers has a file for every book, and no other files', async () => {
  const expected = demoBooks.map((book) => basename(coverFile(book)));

  expect((await readdir(coversFolder)).toSorted()).toEqual(expected.toSorted());
});

test('the cover files of the demo are WebP at the full width, with a ratio of 2:3', async () => {
  for (const book of demoBooks) {
    const metadata = await sharp(coverFile(book)).metadata();
    expect(metadata, book.title).toMatchObject({ format: 'webp', width: 960, height: 1440 });
  }
});
