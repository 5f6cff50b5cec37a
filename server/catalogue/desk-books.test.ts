import { beforeEach, describe, expect, test } from 'vitest';
import type { DeskBook } from '../../contract/desk/books.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import { createToken } from '../access/tokens.ts';
import { commandActor } from '../activity/activity.ts';
import { nextPage, readJson as read, setUpTestStore } from '../testing/test-store.ts';
import { addBook } from './books.ts';
import { editBook } from './edit-book.ts';

const store = setUpTestStore({ settings: { adminEmails: ['admin@example.com'] } });
let admin: string;
beforeEach(async () => {
  admin = await store.signIn({ sub: 'admin', email: 'admin@example.com' });
});

const image = 'https://covers.example/emma.jpg';
const shelve = async (title: string, keywords: string | null = null): Promise<string> =>
  (await addBook(store.database.db, { title, author: 'Anon', image, priceCents: 1299, keywords }, null)).id;

const call = (path: string) => store.call(path, { cookie: admin });
const list = (query = '') => call(`${deskPaths.books}${query}`);
const listTitles = async (query: string): Promise<string[]> =>
  (await read<DeskBook[]>(await list(query))).map(({ title }) => title);

async function remove(id: string, headers?: Record<string, string>): Promise<void> {
  const init = { method: 'DELETE', ...(headers ? { headers } : { cookie: admin }) };
  await read(await store.call(`/deleteBook/${id}`, init));
}

/** @returns the titles of each page. */
async function listPages(query: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let next = deskPaths.books + query; next; ) {
    const response = await call(next);
    next = nextPage(response);
    pages.push((await read<DeskBook[]>(response)).map(({ title }) => title));
  }
  return pages;
}

test('the books without a picture are searched too', async () => {
  await shelve('With a picture elsewhere');
  for (const title of ['Emma', 'Sanditon'])
    await addBook(store.database.db, { title, author: 'Jane Austen', image: '', priceCents: 100 }, null);

  const found = { '': ['Sanditon', 'Emma'], '&q=emma': ['Emma'], '&q=picture': [] };
  for (const [query, titles] of Object.entries(found))
    expect(await listTitles(`?state=without-picture${query}`), query).toEqual(titles);
});

test('each list has the books of a subject alone, whatever its order', async () => {
  const { db } = store.database;
  for (const [title, keywords] of [
    ['Persuasion', 'Sea, Love'],
    ['Emma', 'Love'],
    ['Typhoon', 'the sea; sea'],
  ] as const)
    await addBook(db, { title, author: 'A. Writer', image: '', priceCents: 100, keywords }, null);

  for (const query of ['', '&state=for-sale&sort=title', '&sort=sold', '&state=without-picture', '&q=writer'])
    expect((await listTitles(`?subject=sea${query}`)).toSorted(), query).toEqual(['Persuasion', 'Typhoon']);
  await remove((await read<DeskBook[]>(await list('?q=typhoon')))[0]?._id ?? '');
  expect(await listTitles('?subject=Sea&state=deleted')).toEqual(['Typhoon']);
  expect(await listTitles('?subject=Sea')).toEqual(['Persuasion']);
});

test('a search that finds little finds similar words as in the shop, also of books that are sold out or deleted', async () => {
  await shelve('The Great Gatsby');
  await remove(await shelve('Middlemarch'));
  const last = await shelve('Frankenstein');
  const edit = { actor: commandActor, isExpected: () => true };
  await editBook(store.database.db, last, () => ({ copies: 0 }), edit);

  for (const [query, title, correctedTo] of [
    ['?q=greatgatsby&state=for-sale', 'The Great Gatsby', 'great gatsby'],
    ['?q=frankenstien', 'Frankenstein', 'frankenstein'],
    ['?q=frankenstien&state=sold-out', 'Frankenstein', 'frankenstein'],
    ['?q=midlemarch&state=deleted', 'Middlemarch', 'middlemarch'],
  ] as const) {
    const response = await list(query);
    expect(response.headers.get('corrected-query'), query).toBe(encodeURIComponent(correctedTo));
    expect(await read(response), query).toMatchObject([{ title }]);
  }
  expect(await listTitles('?q=midlemarch')).toEqual([]);
});

describe('the deleted books', () => {
  test('come by the time of their deletion, with who deleted them', async () => {
    const [first, second] = [await shelve('First'), await shelve('Second')];
    const token = await createToken(store.database.db, { name: 'tidy', may: 'catalogue' }, commandActor);
    await remove(second);
    await remove(first, { authorization: `Bearer ${token}` });

    expect(await read(await list('?state=deleted'))).toMatchObject([
      { _id: first, removedAt: expect.stringContaining('T'), removedBy: { token: 'tidy' } },
      { _id: second, removedBy: { email: 'admin@example.com' } },
    ]);
  });

  test('are searched and paged as those for sale, and leave the list when they are restored', async () => {
    const ids: string[] = [];
    for (const title of ['Emma one', 'Emma two', 'Other', 'Emma three']) ids.push(await shelve(title));
    const pages = [['Emma three', 'Other', 'Emma two'], ['Emma one']];
    const found = [['Emma three', 'Emma two'], ['Emma one']];
    expect(await listPages('?limit=3')).toEqual(pages);
    expect((await listPages('?q=emma&limit=2')).flat().toSorted()).toEqual(found.flat().toSorted());
    expect(await listTitles(`?q=${ids[1]}`)).toEqual(['Emma two']);
    for (const id of ids) await remove(id);

    expect(await listPages('?state=deleted&limit=3')).toEqual(pages);
    expect(await listPages('?state=deleted&limit=2&q=emma')).toEqual(found);
    expect([await listTitles(''), await listTitles(`?q=${ids[1]}`)]).toEqual([[], []]);
    expect(await listTitles(`?q=${ids[1]}&state=deleted`)).toEqual(['Emma two']);
    await store.call(`/restoreBook/${ids[1]}`, { method: 'POST', cookie: admin });
    expect(await listTitles('?state=deleted&q=emma')).toEqual(['Emma three', 'Emma one']);
    for (const cursor of ['nothing', '1', '1.x', '-1.2']) {
      const response = await list(`?state=deleted&cursor=${cursor}`);
      expect(await read(response, 400), cursor).toMatchObject({ errors: [{ field: 'cursor' }] });
    }
    expect(await read(await list('?cursor='), 400)).toMatchObject({ errors: [{ field: 'cursor' }] });
  });
});
