/** The specification's calls (section 7): as any client may make them, and as the browser app makes them. */

import type { APIRequestContext, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { ada, signInAndOpen } from './sign-in.ts';
import { coverPng, janeEyre, testBooks, testImage } from './test-books.ts';

const today = () => new Date().toDateString();

/** The six fields of the specification and the seventh, `time`, as the specification's browser posts them. */
const orderOf = (person: typeof ada, { title, author, priceCents }: (typeof testBooks)[number]) => ({
  userName: person.name,
  email: person.email,
  photo: '',
  title,
  author,
  price: priceCents / 100,
  time: today(),
});

/** Calls that carry the session of somebody who signed in through the popup. */
async function signedInCalls(page: Page): Promise<APIRequestContext> {
  await signInAndOpen(page, '/orders');
  return page.context().request;
}

test('GET /books answers an array of books with _id, title, author, image and price.value', async ({
  request,
}) => {
  const answer = await request.get('/books');

  expect(answer.status()).toBe(200);
  const books = await answer.json();
  expect(books).toEqual(
    testBooks.map(({ title, author, priceCents }) => ({
      _id: expect.any(String),
      title,
      author,
      image: testImage,
      price: { value: priceCents / 100 },
    })),
  );
});

test('GET /book/{id} answers one book', async ({ request }) => {
  const [first] = await (await request.get('/books')).json();

  const answer = await request.get(`/book/${first._id}`);

  expect(answer.status()).toBe(200);
  expect(await answer.json()).toEqual(first);
});

test('POST /addOrder takes the specification’s payload, and GET /allOrder/{email} reads it back', async ({
  page,
}) => {
  const calls = await signedInCalls(page);

  const placed = await calls.post('/addOrder', { data: orderOf(ada, janeEyre) });
  expect(placed.status()).toBe(201);
  expect(await placed.json()).toBeInstanceOf(Object);

  const listed = await calls.get(`/allOrder/${ada.email}`);
  expect(listed.status()).toBe(200);
  expect(await listed.json()).toMatchObject([
    { title: janeEyre.title, author: janeEyre.author, price: 12.99, time: today() },
  ]);
});

test('POST /addOrder takes a client’s whole shared state, whatever else is in it', async ({
  page,
  store,
}) => {
  const calls = await signedInCalls(page);

  const placed = await calls.post('/addOrder', {
    data: {
      ...orderOf(ada, janeEyre),
      _id: 'not-the-order’s',
      isSignedIn: true,
      error: '',
      success: null,
      quantity: 12,
      book: { price: { value: '0.01' } },
    },
  });

  expect(placed.status()).toBe(201);
  expect(await store.orders()).toEqual([{ title: janeEyre.title, priceCents: 1299, email: ada.email }]);
});

test('POST /addBook takes the price as text and puts the book on the shelf', async ({ page }) => {
  const calls = await signedInCalls(page);

  const added = await calls.post('/addBook', {
    data: { title: 'The Lifted Veil', price: { value: '12.5' }, author: 'George Eliot', image: testImage },
  });

  expect(added.ok()).toBe(true);
  const [first] = await (await calls.get('/books')).json();
  expect(first).toEqual({
    _id: expect.any(String),
    title: 'The Lifted Veil',
    author: 'George Eliot',
    image: testImage,
    price: { value: 12.5 },
  });
});

test('DELETE /deleteBook/{id} answers JSON and takes the book off the shelf', async ({ page }) => {
  const calls = await signedInCalls(page);
  const [first] = await (await calls.get('/books')).json();

  const deleted = await calls.delete(`/deleteBook/${first._id}`);

  expect(deleted.status()).toBe(200);
  expect(await deleted.json()).toBeInstanceOf(Object);
  expect((await calls.get(`/book/${first._id}`)).status()).toBe(404);
  expect(await (await calls.get('/books')).json()).toHaveLength(testBooks.length - 1);
});

for (const [method, path] of [
  ['POST', '/addOrder'],
  ['GET', `/allOrder/${ada.email}`],
  ['DELETE', '/deleteBook/some-id'],
  ['POST', '/addBook'],
] as const) {
  test(`${method} ${path} answers 401 without a session`, async ({ request }) => {
    const answer = await request.fetch(path, { method, ...(method === 'POST' && { data: {} }) });

    expect(answer.status()).toBe(401);
  });
}

test('the browser posts an order with the specification’s seven fields', async ({ page, store }) => {
  await signInAndOpen(page, await store.checkoutOf(janeEyre.title));
  const sending = page.waitForRequest('**/addOrder');
  await page.getByRole('button', { name: 'Checkout' }).click();
  const sent = await sending;

  expect(sent.method()).toBe('POST');
  expect(sent.postDataJSON()).toEqual(orderOf(ada, janeEyre));
});

test('the browser reads the checkout’s book, and the orders, at their paths', async ({ page, store }) => {
  const checkout = await store.checkoutOf(janeEyre.title);
  const asksForBook = page.waitForRequest(`**${checkout.replace('/checkout/', '/book/')}`);
  const asksForOrders = page.waitForRequest(`**/allOrder/${encodeURIComponent(ada.email)}`);
  await signInAndOpen(page, checkout);
  await page.getByRole('button', { name: 'Checkout' }).click();

  expect((await asksForBook).method()).toBe('GET');
  expect((await asksForOrders).method()).toBe('GET');
});

test('the browser adds a book with the specification’s four fields, the price as it was typed', async ({
  page,
}) => {
  await signInAndOpen(page, '/admin');
  await page.getByRole('navigation').getByRole('button', { name: 'Add Book' }).click();
  const uploaded = page.waitForResponse('**/1/upload');
  await page
    .getByLabel('Image')
    .setInputFiles({ name: 'cover.png', mimeType: 'image/png', buffer: await coverPng() });
  const { data } = await (await uploaded).json();
  await page.getByLabel('Book Name').fill('The Lifted Veil');
  await page.getByLabel('Book Price').fill('12.50');
  await page.getByLabel('Author Name').fill('George Eliot');
  page.once('dialog', (dialog) => dialog.accept());
  const adding = page.waitForRequest('**/addBook');
  await page.getByRole('main').getByRole('button', { name: 'Add Book' }).click();

  expect((await adding).postDataJSON()).toEqual({
    title: 'The Lifted Veil',
    price: { value: '12.50' },
    author: 'George Eliot',
    image: data.display_url,
  });
});

test('the browser deletes a book at its path', async ({ page, store }) => {
  const id = (await store.checkoutOf(janeEyre.title)).replace('/checkout/', '');
  await signInAndOpen(page, '/admin');
  const deleting = page.waitForRequest('**/deleteBook/*');
  await page.getByRole('button', { name: `Delete: ${janeEyre.title}` }).click();
  const sent = await deleting;

  expect(sent.method()).toBe('DELETE');
  expect(new URL(sent.url()).pathname).toBe(`/deleteBook/${id}`);
});
