import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { byField, type OptionalFieldName, optionalFields } from '../../contract/book-fields.ts';
import { changesBetween, differences, emptyTexts, textsOf } from './book-texts.ts';

const base = { ...emptyTexts, title: 'Emma', author: 'Jane Austen', price: '12.50' };

beforeAll(() => {
  vi.stubGlobal('window', { location: { origin: 'https://shop.example' } });
});
afterAll(() => {
  vi.unstubAllGlobals();
});

test('only the fields that were changed are sent, the price as an object', () => {
  expect(changesBetween(base, base)).toEqual({});
  expect(changesBetween({ ...base, price: '9', keywords: 'Highbury' }, base)).toEqual({
    price: { value: '9' },
    keywords: 'Highbury',
  });
});

test('texts that are stored as the same do not differ, and what cannot be stored does', () => {
  const stored = { ...base, keywords: 'Highbury', image: 'https://covers.example/a%20b.jpg' };
  const spaced = { title: ' Emma ', author: 'Jane Austen\t', price: ' 12.5', keywords: 'Highbury ' };
  const typed = { ...base, ...spaced, image: ' HTTPS://covers.example/a b.jpg' };
  const differing = (texts: typeof typed) => differences(texts, stored).map(({ name }) => name);

  expect(differing(typed)).toEqual([]);
  expect(differing({ ...typed, price: '12.501', image: 'nowhere' })).toEqual(['price', 'image']);
});

const emma = {
  _id: '1',
  title: 'Emma',
  author: 'Jane Austen',
  image: '',
  price: { value: 12.5 },
  ...byField<Record<OptionalFieldName, null>>(optionalFields, () => null),
  addedAt: '2026-01-01T00:00:00.000Z',
  removedAt: null,
  removedBy: null,
  version: 0,
  sold: 0,
  revenue: 0,
  lastSoldAt: null,
};

test('a book without keywords has an empty field, and a price two decimals', () => {
  expect(textsOf(emma)).toEqual(base);
});

test('an ISBN is shown with its hyphens, and is the same without them', () => {
  const shown = textsOf({ ...emma, isbn: '9780141439587', isbnText: '978-0-14-143958-7' });

  expect(shown.isbn).toBe('978-0-14-143958-7');
  expect(differences({ ...shown, isbn: '9780141439587' }, shown)).toEqual([]);
  // The edit has removed the ISBN.
  expect(textsOf({ ...emma, isbn: null, isbnText: '978-0-14-143958-7' }).isbn).toBe('');
});
