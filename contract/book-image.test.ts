import { expect, test } from 'vitest';
import { normalizeBookImage } from './book-image.ts';
import { imageAddress, imageAddressAt, parseImageFile } from './image-address.ts';

const origin = 'https://shop.example';
const id = '0123456789abcdef'.repeat(2);
const hosted = imageAddress(id);

test.each([
  [` ${hosted}\n`, hosted],
  [origin + hosted, hosted],
  ['HTTPS://Covers.example/é.jpg', 'https://covers.example/%C3%A9.jpg'],
  [`https://covers.example/${'a'.repeat(1977)}`, `https://covers.example/${'a'.repeat(1977)}`],
])('%j is stored as %j', (image, stored) => {
  expect(normalizeBookImage(image, origin)).toBe(stored);
});

test.each([
  `javascript:alert(1)//${id}.webp`,
  `http://covers.example${hosted}`,
  `/elsewhere${hosted}`,
  `${origin}/elsewhere${hosted}`,
  imageAddressAt(id, 320),
  ` x https://covers.example/emma.jpg`,
  `https://covers.example/${'a'.repeat(1978)}`,
])('%j is no image of a book', (image) => {
  expect(normalizeBookImage(image, origin)).toBeUndefined();
});

test('the file of a hosted image has one of its widths, and nothing around its name', () => {
  expect(parseImageFile(`${id}.webp`)).toEqual({ id, width: 960 });
  expect(parseImageFile(`${id}-320.webp`)).toEqual({ id, width: 320 });
  for (const file of [
    `${id}-241.webp`,
    `${id}-0320.webp`,
    `x${id}.webp`,
    `${id}.webpx`,
    `${id.toUpperCase()}.webp`,
  ]) {
    expect(parseImageFile(file), file).toBeUndefined();
  }
});
