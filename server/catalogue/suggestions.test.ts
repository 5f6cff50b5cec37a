import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { Suggestions } from '../../contract/suggestions.ts';
import { addBook } from '../catalogue/books.ts';
import { readJson, setUpTestStore } from '../testing/test-store.ts';

const store = setUpTestStore();

type Details = { author?: string; keywords?: string; copies?: number };
async function add(title: string, details: Details = {}): Promise<void> {
  const book = { title, author: 'Anon', image: 'https://covers.example/1.jpg', priceCents: 1200, ...details };
  await addBook(store.database.db, book, null);
  store.database.catalogueVersion.recordLocalChange();
}

async function suggest(query: string): Promise<Suggestions> {
  const suggestions = await readJson<Suggestions>(await store.call(`/suggest${query}`));
  expect(Value.Errors(Suggestions, suggestions)).toEqual([]);
  return suggestions;
}
const namesFor = async (q: string) => {
  const { authors, books } = await suggest(`?q=${encodeURIComponent(q)}`);
  return {
    authors: authors.map(({ author, count }) => `${author} ${count}`),
    books: books.map(({ title }) => title),
  };
};

test('two letters suggest authors by the beginning of a name, with the number of their books, and books', async () => {
  for (const title of ['Emma', 'Persuasion']) await add(title, { author: 'Jane Austen, Another' });
  await add('The Invention of Nature', { author: 'Paul Auster' });
  await add('Austria', { author: 'Anon' });
  await add('Sold Out', { author: 'Austin Gone', copies: 0 });

  expect(await namesFor('au')).toEqual({
    authors: ['Jane Austen 2', 'Paul Auster 1'],
    books: ['Austria', 'Emma', 'Persuasion', 'The Invention of Nature'],
  });
  expect(await namesFor('jane aus')).toMatchObject({ authors: ['Jane Austen 2'] });
  expect(await namesFor('ane')).toMatchObject({ authors: [] });
});

test('misspelt words suggest what they mean, with at most three authors and five books', async () => {
  await add('Demons', { author: 'Fyodor Dostoyevsky' });
  for (let index = 0; index < 8; index += 1) await add(`Atlas ${index}`, { author: `Anna${index} Atlas` });

  expect(await namesFor('dostojevsky')).toEqual({ authors: ['Fyodor Dostoyevsky 1'], books: ['Demons'] });
  const { authors, books } = await suggest('?q=atlas');
  expect([authors.length, books.length]).toEqual([3, 5]);
  expect(books[0]).toEqual({
    _id: expect.any(String),
    title: 'Atlas 7',
    author: 'Anna7 Atlas',
    image: 'https://covers.example/1.jpg',
    price: { value: 12 },
  });
  const problem = await readJson(await store.call(`/suggest?q=${'a'.repeat(201)}`), 400);
  expect(problem).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ field: 'q' }] });
});
