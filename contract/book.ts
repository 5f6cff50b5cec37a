import { type Static, Type } from 'typebox';
import { maxQueryLength } from './book-search.ts';
import { Amount, AmountText, BookImage, Line, Term } from './field-formats.ts';
import { PageLimit } from './page-parameters.ts';

/** A book as the catalogue shows it (spec section 3). */
export const Book = Type.Object(
  {
    _id: Type.String({ description: 'The book’s id, which never changes.' }),
    title: Type.String({ description: 'Its title.' }),
    author: Type.String({ description: 'Its author, or several in one text.' }),
    image: Type.String({ description: 'Its cover: an https: address, or a path on the store.' }),
    price: Type.Object({
      value: Type.Number({ description: 'In the store’s currency, two decimals.' }),
    }),
  },
  {
    title: 'Book',
    examples: [
      {
        _id: '0f6f1e0c-5b0a-4c1e-9d4e-2f8a7c6b5d43',
        title: 'Emma',
        author: 'Jane Austen',
        image: '/images/9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d.webp',
        price: { value: 12.99 },
      },
    ],
  },
);
export type Book = Static<typeof Book>;

/** The id in a book's path. */
export const BookParams = Type.Object(
  { id: Term({ maxLength: 64, description: 'The book’s `_id`.' }) },
  { examples: [{ id: '0f6f1e0c-5b0a-4c1e-9d4e-2f8a7c6b5d43' }] },
);

/** The orders in which `GET /books` can sort. Without one it is `best` for a search, and otherwise `newest`. */
const sortOrders = ['best', 'newest', 'title', 'price'] as const;
export type SortOrder = (typeof sortOrders)[number];

/** The query parameters of `GET /books`. */
export const BooksQuery = Type.Object(
  {
    q: Type.Optional(
      Type.String({
        maxLength: maxQueryLength,
        description:
          'Words that must all be in title, author or keywords, in any script; case and accents are ignored. A word of ' +
          'three letters or more may be a part of one. When they find nothing, similar words are searched for, and the ' +
          'header `Corrected-Query` names them; when those find nothing either, `Similar-Words` has words that each ' +
          'find books. Both headers are percent-encoded.',
      }),
    ),
    spelling: Type.Optional(
      Type.Enum(['corrected', 'as-typed'], {
        default: 'corrected',
        description: 'With `as-typed`, the header names the similar words, and no book is listed for them.',
      }),
    ),
    sort: Type.Optional(
      Type.Enum([...sortOrders], { description: 'By default `best` with `q`, and `newest` without it.' }),
    ),
    limit: PageLimit(),
    cursor: Type.Optional(
      Type.String({ maxLength: 2000, description: 'From the Link header of the previous page.' }),
    ),
  },
  { examples: [{ q: 'jane emma', cursor: '0f6f1e0c-5b0a-4c1e-9d4e-2f8a7c6b5d43' }] },
);
export type BooksQuery = Static<typeof BooksQuery>;

/** How long the texts of a book may be, in characters. */
export const maxLengths = { title: 500, author: 1000, image: 2000, keywords: 1000 } as const;

const Keywords = (description: string) =>
  Type.String({ format: 'line', maxLength: maxLengths.keywords, description });

/** The body of `POST /addBook`. The price is the text from the form, or a number. */
export const NewBook = Type.Object(
  {
    title: Line(maxLengths.title),
    author: Line(maxLengths.author),
    image: BookImage(),
    price: Type.Object({ value: Type.Union([AmountText(), Amount()]) }),
    keywords: Type.Optional(
      Keywords('Further words that find the book, such as its title in other languages. No page shows them.'),
    ),
  },
  {
    title: 'NewBook',
    examples: [
      {
        title: 'Emma',
        author: 'Jane Austen',
        image: 'https://covers.example/emma.jpg',
        price: { value: '12.99' },
        keywords: 'Highbury Regency',
      },
    ],
  },
);
export type NewBook = Static<typeof NewBook>;

/** The body of `PATCH /book/{id}`: what changes. */
export const BookChanges = Type.Object(
  {
    title: Type.Optional(Line(maxLengths.title)),
    author: Type.Optional(Line(maxLengths.author)),
    image: Type.Optional(BookImage()),
    price: Type.Optional(Type.Object({ value: Type.Union([AmountText(), Amount()]) })),
    keywords: Type.Optional(Keywords('Empty: the book has none any more.')),
  },
  { title: 'BookChanges', examples: [{ price: { value: 9.99 } }] },
);
export type BookChanges = Static<typeof BookChanges>;

/** The response to a deletion. */
export const DeletedBook = Type.Object(
  { _id: Type.String({ description: 'The book’s id.' }), deleted: Type.Literal(true) },
  { title: 'DeletedBook', examples: [{ _id: '0f6f1e0c-5b0a-4c1e-9d4e-2f8a7c6b5d43', deleted: true }] },
);
export type DeletedBook = Static<typeof DeletedBook>;
