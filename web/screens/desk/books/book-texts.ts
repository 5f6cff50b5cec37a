/** The fields of a book that can be changed, as they are typed. */
import type { BookChanges, NewBook } from '../../../../contract/book.ts';
import { normalizeBookImage } from '../../../../contract/book-image.ts';
import type { DeskBook } from '../../../../contract/desk-books.ts';
import { amountToCents, centsToAmount } from '../../../../contract/money.ts';

export const textNames = ['title', 'author', 'price', 'keywords', 'image'] as const;
type TextName = (typeof textNames)[number];
export type BookTexts = Readonly<Record<TextName, string>>;

export const textLabels: Readonly<Record<TextName, string>> = {
  title: 'Title',
  author: 'Author',
  price: 'Price ($)',
  keywords: 'Search keywords',
  image: 'Address of the image',
};

export const textsOf = ({ title, author, price, keywords, image }: DeskBook): BookTexts => ({
  title,
  author,
  price: priceText(price.value),
  keywords: keywords ?? '',
  image,
});

const priceText = (value: number): string => value.toFixed(2);

/** @returns typed texts as the store would keep them; what it would refuse stays as it is. */
const asStored = ({ title, author, price, keywords, image }: BookTexts): BookTexts => {
  const cents = amountToCents(price);
  return {
    title: title.trim(),
    author: author.trim(),
    price: cents === undefined ? price : priceText(centsToAmount(cents)),
    keywords: keywords.trim(),
    image: normalizeBookImage(image, window.location.origin) ?? image,
  };
};

/** @returns the names of the fields in which the texts differ once they are stored: `12.5` is `12.50`. */
export const differences = (texts: BookTexts, others: BookTexts): TextName[] => {
  const [one, other] = [asStored(texts), asStored(others)];
  return textNames.filter((name) => one[name] !== other[name]);
};

/** @returns what was typed, and where nothing was, what is stored now. @param base what the typing began with. */
export const mergeTexts = (typed: BookTexts, base: BookTexts, stored: BookTexts): BookTexts => {
  const changed = differences(typed, base);
  return { ...stored, ...Object.fromEntries(changed.map((name) => [name, typed[name]])) };
};

/** @returns the changed fields, as the store takes them. */
export const changesOf = (typed: BookTexts, base: BookTexts): BookChanges => {
  const changed = differences(typed, base);
  const { price, ...texts } = typed;
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([name]) => changed.some((other) => other === name))),
    ...(changed.includes('price') && { price: { value: price } }),
  };
};

export const emptyTexts: BookTexts = { title: '', author: '', price: '', keywords: '', image: '' };

/** @returns the book to add, as the store takes it. */
export const newBookOf = ({ title, author, price, keywords, image }: BookTexts): NewBook => ({
  title,
  author,
  price: { value: price },
  image,
  ...(keywords.trim() && { keywords }),
});

/** The path of a field in the store's errors. */
export const errorPathOf = (name: TextName): string => (name === 'price' ? 'price.value' : name);
