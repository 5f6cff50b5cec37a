import { text } from 'node:stream/consumers';
import { expect, test } from './fixtures.ts';
import { serve } from './requests.ts';
import { signInAndOpen } from './sign-in.ts';
import { openStore } from './store.ts';
import { testImage } from './test-books.ts';
import { addAndConfirm, fillInBook, openView, pickCover } from './visitor.ts';

/** Stands in for an external image host: records the fields and the key of each form, and responds like imgbb. */
async function openImageHost(displayUrl: string) {
  const forms: { fields: string[]; key: string | undefined }[] = [];
  const { origin, close } = await serve(async (request, response) => {
    const body = await text(request.setEncoding('latin1'));
    forms.push({
      fields: [...body.matchAll(/; name="(\w+)"(?:; filename="([^"]*)")?/g)].map(([field]) => field),
      key: /; name="key"\r\n\r\n(.*)\r\n/.exec(body)?.[1],
    });
    response.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' });
    response.end(JSON.stringify({ data: { display_url: displayUrl }, success: true, status: 200 }));
  });
  return { url: `${origin}/1/upload`, forms, close };
}

test('an image host gets key and image, and its display_url becomes the book’s image', async ({ page }) => {
  const imageHost = await openImageHost(testImage);
  const store = await openStore({ env: { IMAGE_HOST_URL: imageHost.url, IMAGE_HOST_KEY: 'client-key' } });
  try {
    await signInAndOpen(page, `${store.origin}/admin`);
    await openView(page, 'Add Book');
    await pickCover(page);
    await fillInBook(page);
    const addRequest = page.waitForRequest('**/addBook');
    await addAndConfirm(page);

    expect((await addRequest).postDataJSON()).toMatchObject({ image: testImage });
    expect(imageHost.forms).toEqual([
      { fields: ['; name="key"', '; name="image"; filename="cover.png"'], key: 'client-key' },
    ]);
  } finally {
    await store.close();
    imageHost.close();
  }
});
