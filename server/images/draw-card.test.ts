/** The words on cards and drawn covers. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { type DrawnBook, openImageWorker } from './image-worker.ts';
import { settable } from './set-words.ts';

const worker = openImageWorker();
afterAll(() => worker.close());

const drawCard = (book: Omit<DrawnBook, 'id'>) => {
  const drawn = { id: 'book-1', ...book };
  return worker.drawCard({ book: drawn, colour: null, storeName: 'Colophon' });
};

/** @returns the number of pixels on the wall beside the cover that a test of red, green and blue accepts. */
async function count(card: Uint8Array, isCounted: (pixel: Uint8Array) => boolean): Promise<number> {
  const wall = { left: 500, top: 70, width: 640, height: 500 };
  const pixels = await sharp(card).extract(wall).raw().toBuffer();
  let counted = 0;
  for (let at = 0; at < pixels.length; at += 3) if (isCounted(pixels.subarray(at, at + 3))) counted += 1;
  return counted;
}
const isInk = (pixel: Uint8Array) => Math.max(...pixel) < 80;

test.each([
  ['Война и мир', 'Лев Толстой'],
  ['Η Αναφορά στον Γκρέκο', 'Νίκος Καζαντζάκης'],
  ['Joy 🎉 of 👩‍👩‍👧 Cooking ❤️', 'Irma 🇺🇸'],
  ['Jane Eyre', 'シャーロット・ブロンテ'],
])('the title %s is beside the cover', async (title, author) => {
  expect(await count(await drawCard({ title, author }), isInk)).toBeGreaterThan(2000);
});

/** @returns whether a font has a character: its `cmap` has a table of format 4 (OpenType, "cmap"). */
function charactersOf(font: Buffer): (code: number) => boolean {
  const records = Array.from({ length: font.readUInt16BE(4) }, (_, index) => 12 + index * 16);
  const record = records.find((at) => font.toString('latin1', at, at + 4) === 'cmap') ?? 0;
  const cmap = font.readUInt32BE(record + 8);
  const tables = Array.from({ length: font.readUInt16BE(cmap + 2) }, (_, index) =>
    font.readUInt32BE(cmap + 8 + index * 8),
  );
  const table = cmap + (tables.find((at) => font.readUInt16BE(cmap + at) === 4) ?? 0);
  const size = font.readUInt16BE(table + 6);
  const ends = Array.from({ length: size / 2 }, (_, index) => table + 14 + index * 2);
  return (code) => {
    const end = ends.find((at) => code <= font.readUInt16BE(at)) ?? 0;
    return code >= font.readUInt16BE(end + size + 2);
  };
}

test('the letters of which words are set are those of the font', async () => {
  const hasLetter = charactersOf(await readFile(join(import.meta.dirname, 'literata.ttf')));
  const letters = Array.from({ length: 0xffff }, (_, code) => String.fromCharCode(code)).filter(
    (letter) => letter.normalize('NFC') === letter && !/[\s\p{C}]/u.test(letter),
  );

  const set = letters.filter((letter) => settable(letter) === letter);

  expect(set).toEqual(letters.filter((letter) => hasLetter(letter.charCodeAt(0))));
});

test('a title without letters in the font is on no card', async () => {
  const other = await drawCard({ title: '曹', author: '' });
  for (const title of ['مدن الملح', 'Ὀδύσσεια', 'C♯ in Depth', 'Z\u0338\u0321algo', '🎉', '\u202e']) {
    expect(await drawCard({ title, author: 'A. Writer' }), title).toEqual(other);
  }
});

test.each([
  ['200 letters', 'On and on and never to the end of it '.repeat(6)],
  ['500 wide letters', 'W'.repeat(500)],
  ['combining marks', 'e\u0301'.repeat(250)],
  ['control characters', '\u0000\u0001\u001b[31mRed\u007f\ufffe\ud800 \u202eWords\u0085\n\n\nHere'],
  ['markup', '</span>]]><!-- <script>alert(1)</script> &amp; & &#0; <svg onload="x">'],
  ['a full stop', '.'],
])('a book with a title of %s has a card and a cover', async (_, title) => {
  const book = { title, author: title.repeat(2) };
  const [card, cover] = [await drawCard(book), await worker.drawCover({ id: 'book-1', ...book })];

  expect(await sharp(card).metadata()).toMatchObject({ width: 1200, height: 630 });
  expect(await sharp(cover).metadata()).toMatchObject({ width: 480, height: 720 });
  expect(await count(card, isInk)).toBeGreaterThan(10);
});

test('a title of markup is set as text', async () => {
  const card = await drawCard({ title: '<span foreground="#00ff00">Green</span>', author: 'A. Writer' });

  expect(await count(card, ([red = 0, green = 0]) => green > red + 100)).toBe(0);
  expect(await count(card, isInk)).toBeGreaterThan(2000);
});
