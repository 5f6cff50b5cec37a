import { expect, test } from 'vitest';
import { normalizeBookImage, reasonAgainstBookImage } from './book-image.ts';
import { imageAddress, imageAddressAt, parseImageFile } from './image-address.ts';

const origin = 'https://shop.example';
const id = '0123456789abcdef'.repeat(2);
const hosted = imageAddress(id);

test('an image is stored as its address, or as its path in the store', () => {
  const fetched = 'https://covers.example/fetch/w_200,f_auto/https://other.example/a.jpg?u=https://a.example';
  const long = `https://covers.example/${'a'.repeat(1977)}`;
  const stored = {
    [` ${hosted}\n`]: hosted,
    [origin + hosted]: hosted,
    'HTTPS://Covers.example/é.jpg': 'https://covers.example/%C3%A9.jpg',
    [long]: long,
    '\u200ehttps://covers.example/\u00ada.jpg\u200b': 'https://covers.example/a.jpg',
    '="https://covers.example/a.jpg"': 'https://covers.example/a.jpg',
    'https://covers.example/w_2,h_3/Emma, or not.jpg': 'https://covers.example/w_2,h_3/Emma,%20or%20not.jpg',
    [fetched]: fetched,
    'https://covers.example/a.jpg/https://b.example': 'https://covers.example/a.jpg/https://b.example',
  };
  const found = Object.keys(stored).map((image) => [image, normalizeBookImage(image, origin)]);
  expect(Object.fromEntries(found)).toEqual(stored);
  for (const image of [
    ...[`javascript:alert(1)//${id}.webp`, `http://covers.example${hosted}`, `/elsewhere${hosted}`],
    ...[
      `${origin}/elsewhere${hosted}`,
      imageAddressAt(id, 320),
      ' x https://covers.example/emma.jpg',
      `${long}a`,
    ],
  ]) {
    expect(normalizeBookImage(image, origin), image).toBeUndefined();
  }
});

test('two addresses, or two addresses of pictures with less between them, are none', () => {
  const two: string[] = [];
  for (const between of [', ', ',', ';', '; ', ' | ', '|', ' ', '\n', '\r\n']) {
    for (const second of [
      'https://covers.example/b.jpg',
      'http://covers.example/b.jpg',
      '//covers.example/b.jpg',
    ]) {
      two.push(`https://covers.example/a.jpg${between}${second}`);
    }
  }
  for (const between of ['', '\u200b', '\u2060', '，', '；', '、', '"', '" "']) {
    for (const name of ['a.jpg', 'a.JPEG', 'a.png', 'a.webp', 'a.gif', 'a.avif']) {
      two.push(`https://covers.example/${name}${between}https://covers.example/b.jpg`);
    }
  }
  for (const image of two) {
    expect(normalizeBookImage(image, origin), image).toBeUndefined();
    expect(reasonAgainstBookImage(image)).toBe('These are several addresses: a book has one image.');
  }
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
