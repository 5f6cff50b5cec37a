import { expect, test } from 'vitest';
import { normalizeBookImage, reasonAgainstBookImage } from './book-image.ts';
import { imageAddress, imageAddressAt, parseImageFile } from './image-address.ts';

const origin = 'https://shop.example';
const id = '0123456789abcdef'.repeat(2);
const hosted = imageAddress(id);

test.each([
  [` ${hosted}\n`, hosted],
  [origin + hosted, hosted],
  ['HTTPS://Covers.example/é.jpg', 'https://covers.example/%C3%A9.jpg'],
  [`https://covers.example/${'a'.repeat(1977)}`, `https://covers.example/${'a'.repeat(1977)}`],
  ['\u200ehttps://covers.example/\u00ada.jpg\u200b', 'https://covers.example/a.jpg'],
  ['="https://covers.example/a.jpg"', 'https://covers.example/a.jpg'],
  [
    'https://covers.example/w_200,h_300/Emma, or not.jpg',
    'https://covers.example/w_200,h_300/Emma,%20or%20not.jpg',
  ],
  [
    'https://covers.example/fetch/w_200,f_auto/https://other.example/a.jpg?u=https://a.example',
    'https://covers.example/fetch/w_200,f_auto/https://other.example/a.jpg?u=https://a.example',
  ],
  ['https://covers.example/a.jpg/https://b.example', 'https://covers.example/a.jpg/https://b.example'],
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

test.each([', ', ',', ';', '; ', ' | ', '|', ' ', '\n', '\r\n'])(
  'two addresses with %j between them are none',
  (between) => {
    const further = ['https://covers.example/b.jpg', 'http://covers.example/b.jpg', '//covers.example/b.jpg'];
    for (const second of further) {
      const image = `https://covers.example/a.jpg${between}${second}`;

      expect(normalizeBookImage(image, origin), image).toBeUndefined();
      expect(reasonAgainstBookImage(image)).toBe('These are several addresses: a book has one image.');
    }
  },
);

test.each(['', '\u200b', '\u2060', '，', '；', '、', '"', '" "'])(
  'two addresses of pictures with %j between them are none',
  (between) => {
    for (const name of ['a.jpg', 'a.JPEG', 'a.png', 'a.webp', 'a.gif', 'a.avif']) {
      const image = `https://covers.example/${name}${between}https://covers.example/b.jpg`;

      expect(normalizeBookImage(image, origin), image).toBeUndefined();
      expect(reasonAgainstBookImage(image)).toBe('These are several addresses: a book has one image.');
    }
  },
);

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
