import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { imageWidths } from '../../contract/image-widths.ts';
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

test('the folder of covers has a file for every book and width, and no other files', async () => {
  const expected = demoBooks.flatMap((book) => imageWidths.map((width) => basename(coverFile(book, width))));

  expect((await readdir(coversFolder)).toSorted()).toEqual(expected.toSorted());
});

test('all covers together take at most 4 MB', async () => {
  const files = await readdir(coversFolder);
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(coversFolder, file))).size));

  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(4_000_000);
});

test('the cover files of the demo are WebP at their widths, with a ratio of 2:3', async () => {
  for (const book of demoBooks) {
    for (const width of imageWidths) {
      const metadata = await sharp(coverFile(book, width)).metadata();
      expect(metadata, book.title).toMatchObject({ format: 'webp', width, height: width * 1.5 });
    }
  }
});
