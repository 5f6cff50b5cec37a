/** The calls of the specification (section 7), made by a plain HTTP client and by the browser app. */

import type { APIRequestContext, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { ada, signInAndOpen } from './sign-in.ts';
import { coverPng, janeEyre, testBooks, testImage } from './test-books.ts';

const today = () => new Date().toDateString();

/** An order with the seven fields of the specification. */
const orderOf = (person: typeof ada, { title, author, priceCents }: (typeof testBooks)[number]) => ({
  userName: person.name,
  email: person.email,
  photo: '',
  title,
  author,
  price: priceCents / 100,
  time: today(),
});

/** @returns an HTTP client with the session of a customer who signed in through the popup. */
async function signedInClient(page: Page): Promise<APIRequestContext> {
  await signInAndOpen(page, '/orders');
  return page.context().request;
}

test('GET /books returns an array of books with _id, title, author, image and price.value', async ({
  request,
}) => {
  const response = await request.get('/books');

  expect(response.status()).toBe(200);
  const books = await response.json();
  // The spec's fields. The server's own tests check that there are no others.
  expect(books).toMatchObject(
    testBooks.map(({ title, author, priceCents }) => ({
      _id: expect.any(String),
      title,
      author,
      image: testImage,
      price: { value: priceCents / 100 },
    })),
  );
});

test('GET /book/{id} returns one book', async ({ request }) => {
  const [first] = await (await request.get('/books')).json();

  const response = await request.get(`/book/${first._id}`);

  expect(response.status()).toBe(200);
  expect(await response.json()).toEqual(first);
});

test('POST /addOrder accepts the specification’s payload, and GET /allOrder/{email} returns the order', async ({
  page,
}) => {
  const client = await signedInClient(page);

  const placed = await client.post('/addOrder', { data: orderOf(ada, janeEyre) });
  expect(placed.status()).toBe(201);
  expect(await placed.json()).toBeInstanceOf(Object);

  const listed = await client.get(`/allOrder/${ada.email}`);
  expect(listed.status()).toBe(200);
  expect(await listed.json()).toMatchObject([
    { title: janeEyre.title, author: janeEyre.author, price: 12.99, time: today() },
  ]);
});

test('POST /addOrder ignores all other fields of a client’s shared state', async ({ page, store }) => {
  const client = await signedInClient(page);

  const placed = await client.post('/addOrder', {
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

test('POST /addBook accepts the price as text and adds the book to the list', async ({ page }) => {
  const client = await signedInClient(page);

  const added = await client.post('/addBook', {
    data: { title: 'The Lifted Veil', price: { value: '12.5' }, author: 'George Eliot', image: testImage },
  });

  expect(added.ok()).toBe(true);
  const [first] = await (await client.get('/books')).json();
  expect(first).toEqual({
    _id: expect.any(String),
    title: 'The Lifted Veil',
    author: 'George Eliot',
    image: testImage,
    price: { value: 12.5 },
  });
});

test('DELETE /deleteBook/{id} returns JSON and removes the book from the list', async ({ page }) => {
  const client = await signedInClient(page);
  const [first] = await (await client.get('/books')).json();

  const deleted = await client.delete(`/deleteBook/${first._id}`);

  expect(deleted.status()).toBe(200);
  expect(await deleted.json()).toBeInstanceOf(Object);
  expect((await client.get(`/book/${first._id}`)).status()).toBe(404);
  expect(await (await client.get('/books')).json()).toHaveLength(testBooks.length - 1);
});

for (const [method, path] of [
  ['POST', '/addOrder'],
  ['GET', `/allOrder/${ada.email}`],
  ['DELETE', '/deleteBook/some-id'],
  ['POST', '/addBook'],
] as const) {
  test(`${method} ${path} has status 401 without a session`, async ({ request }) => {
    const response = await request.fetch(path, { method, ...(method === 'POST' && { data: {} }) });

    expect(response.status()).toBe(401);
  });
}

test('the browser posts an order with the specification’s seven fields', async ({ page, store }) => {
  await signInAndOpen(page, await store.checkoutOf(janeEyre.title));
  const orderRequest = page.waitForRequest('**/addOrder');
  await page.getByRole('button', { name: 'Checkout' }).click();
  const request = await orderRequest;

  expect(request.method()).toBe('POST');
  expect(request.postDataJSON()).toEqual(orderOf(ada, janeEyre));
});

test('the browser fetches the checkout’s book and the orders at their paths', async ({ page, store }) => {
  const checkout = await store.checkoutOf(janeEyre.title);
  const bookRequest = page.waitForRequest(`**${checkout.replace('/checkout/', '/book/')}`);
  const ordersRequest = page.waitForRequest(`**/allOrder/${encodeURIComponent(ada.email)}`);
  await signInAndOpen(page, checkout);
  await page.getByRole('button', { name: 'Checkout' }).click();

  expect((await bookRequest).method()).toBe('GET');
  expect((await ordersRequest).method()).toBe('GET');
});

test('the browser posts a book with the specification’s four fields and the price as text', async ({
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
  const accepted = page.waitForEvent('dialog').then((dialog) => dialog.accept());
  const addRequest = page.waitForRequest('**/addBook');
  await page.getByRole('main').getByRole('button', { name: 'Add Book' }).click();

  expect((await addRequest).postDataJSON()).toMatchObject({
    title: 'The Lifted Veil',
    price: { value: '12.50' },
    author: 'George Eliot',
    image: data.display_url,
  });
  await accepted;
});

test('the browser deletes a book at the path with its id', async ({ page, store }) => {
  const id = (await store.checkoutOf(janeEyre.title)).replace('/checkout/', '');
  await signInAndOpen(page, '/admin');
  const deleteRequest = page.waitForRequest('**/deleteBook/*');
  await page.getByRole('button', { name: `Delete: ${janeEyre.title}` }).click();
  const request = await deleteRequest;

  expect(request.method()).toBe('DELETE');
  expect(new URL(request.url()).pathname).toBe(`/deleteBook/${id}`);
});
