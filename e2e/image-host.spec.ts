import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from './fixtures.ts';
import { signInAndOpen } from './sign-in.ts';
import { openStore } from './store.ts';
import { coverPng, testImage } from './test-books.ts';

/** Stands in for an external image host: records the fields and the key of each form, and responds like imgbb. */
async function openImageHost(displayUrl: string) {
  const forms: { fields: string[]; key: string | undefined }[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request.setEncoding('latin1'));
    forms.push({
      fields: [...body.matchAll(/; name="(\w+)"(?:; filename="([^"]*)")?/g)].map(([field]) => field),
      key: /; name="key"\r\n\r\n(.*)\r\n/.exec(body)?.[1],
    });
    response.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' });
    response.end(JSON.stringify({ data: { display_url: displayUrl }, success: true, status: 200 }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (!address || typeof address !== 'object') throw new Error('the image host has no port');
  return {
    url: `http://localhost:${address.port}/1/upload`,
    forms,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

test('an image is posted to the image host as the fields key and image, and its display_url becomes the book’s image', async ({
  page,
}) => {
  const imageHost = await openImageHost(testImage);
  const store = await openStore({ env: { IMAGE_HOST_URL: imageHost.url, IMAGE_HOST_KEY: 'client-key' } });
  try {
    await signInAndOpen(page, `${store.origin}/admin`);
    await page.getByRole('navigation').getByRole('button', { name: 'Add Book' }).click();
    await page
      .getByLabel('Image')
      .setInputFiles({ name: 'cover.png', mimeType: 'image/png', buffer: await coverPng() });
    await page.getByLabel('Book Name').fill('The Lifted Veil');
    await page.getByLabel('Book Price').fill('12.50');
    await page.getByLabel('Author Name').fill('George Eliot');
    page.once('dialog', (dialog) => dialog.accept());
    const addRequest = page.waitForRequest('**/addBook');
    await page.getByRole('main').getByRole('button', { name: 'Add Book' }).click();

    expect((await addRequest).postDataJSON()).toMatchObject({ image: testImage });
    expect(imageHost.forms).toEqual([
      { fields: ['; name="key"', '; name="image"; filename="cover.png"'], key: 'client-key' },
    ]);
  } finally {
    await store.close();
    imageHost.close();
  }
});
