import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { subjectsOf } from '../../contract/subjects.ts';
import { demoBooks } from './books.ts';
import { coverFile, coversFolder } from './catalogue.ts';

test('the demo has at least 48 books, all different, each with a price, a description and a shared subject', () => {
  const subjects = demoBooks.flatMap(({ keywords }) => subjectsOf(keywords));
  const isShared = (subject: string) => subjects.indexOf(subject) !== subjects.lastIndexOf(subject);

  expect(demoBooks.length).toBeGreaterThanOrEqual(48);
  expect(new Set(demoBooks.map(({ title, author }) => `${title}\n${author}`)).size).toBe(demoBooks.length);
  expect(new Set(demoBooks.map(({ description }) => description)).size).toBe(demoBooks.length);
  expect(new Set(subjects.filter(isShared)).size).toBeGreaterThanOrEqual(8);
  for (const { title, author, priceCents, description, keywords } of demoBooks) {
    expect(Number.isInteger(priceCents) && priceCents >= 650 && priceCents <= 3400, title).toBe(true);
    expect(description.length > 40 && description.length <= 240, title).toBe(true);
    expect(subjectsOf(keywords).some(isShared), title).toBe(true);
    // A search finds these words as they are typed.
    for (const text of [title, author]) expect(text).toBe(text.normalize('NFC').trim());
  }
});

test('each book has a cover file, a WebP of the full width and 2:3, and there is no other file', async () => {
  const expected = demoBooks.map((book) => basename(coverFile(book)));
  expect((await readdir(coversFolder)).toSorted()).toEqual(expected.toSorted());

  for (const book of demoBooks) {
    const metadata = await sharp(coverFile(book)).metadata();
    expect(metadata, book.title).toMatchObject({ format: 'webp', width: 960, height: 1440 });
  }
});
