import { beforeEach, expect, test } from 'vitest';
import { stubPage } from '../testing/stubbed-page.ts';

const fetchStub = stubPage();
// The modules read the page's configuration when they are imported.
const api = { ...(await import('./client.ts')), ...(await import('./upload-image.ts')) };
const { storeConfig } = await import('../store-config.ts');

beforeEach(() => {
  fetchStub.mockReset();
});

const problemOf = (response: Response) => {
  fetchStub.mockResolvedValue(response);
  return api.callApi('/books').catch((error: unknown) => error);
};

test('a response is returned as its JSON and the path of the next page', async () => {
  fetchStub.mockResolvedValue(
    Response.json(['a book'], { headers: { link: '</books?cursor=2>; rel="next"' } }),
  );
  await expect(api.callApi('/books')).resolves.toMatchObject({ body: ['a book'], next: '/books?cursor=2' });
});

test('a problem document becomes an error with its code, its status and its field errors', async () => {
  const errors = [{ field: 'price.value', message: 'Must be a price.' }];
  const problem = await problemOf(
    Response.json(
      { type: 'about:blank', title: 'Not valid', status: 400, code: 'VALIDATION_FAILED', errors },
      { status: 400, headers: { 'content-type': 'application/problem+json; charset=utf-8' } },
    ),
  );
  expect(problem).toMatchObject({ name: 'ApiProblem', status: 400, code: 'VALIDATION_FAILED', errors });
  expect(api.isTransient(problem)).toBe(false);
});

test('a call is repeated automatically if Retry-After names seconds of a limit, or few of a busy store', async () => {
  for (const [status, retryAfterS, repeated] of [
    [429, 10, true],
    [429, 11, false],
    [503, 2, true],
    [503, 60, false],
  ] as const) {
    const headers = { 'retry-after': `${retryAfterS}` };
    const refused = await problemOf(new Response('', { status, headers }));
    expect(refused).toMatchObject({ status, code: 'UNKNOWN', retryAfterMs: retryAfterS * 1000 });
    expect(api.retryTransient(0, refused as Error), `${status} after ${retryAfterS}`).toBe(repeated);
  }
});

test('an error response whose body is no problem becomes an error with its status; it is transient, as no response is', async () => {
  for (const body of ['{"code": "BUS', 'null', '']) {
    const headers = { 'content-type': 'application/problem+json' };
    const problem = await problemOf(new Response(body, { status: 503, headers }));
    expect(problem, body).toMatchObject({ name: 'ApiProblem', status: 503, code: 'UNKNOWN', errors: [] });
    expect(api.isTransient(problem)).toBe(true);
  }
  fetchStub.mockRejectedValue(new TypeError('Failed to fetch'));
  expect(api.isTransient(await api.callApi('/books').catch((error: unknown) => error))).toBe(true);
});

const uploadTo = async (url: string, response: (address: URL) => Response) => {
  storeConfig.imageHost.url = url;
  fetchStub.mockImplementation(async (address) => response(new URL(`${address}`)));
  return api
    .uploadImage(new File([], 'cover.png'), new AbortController().signal)
    .catch((error: unknown) => error);
};
const otherHost = 'https://images.example/1/upload';

test('an upload sends cookies to the store, and none to another host', async () => {
  const uploaded = () => Response.json({ data: { display_url: '/cover' } });
  for (const [url, credentials] of [
    [otherHost, 'omit'],
    ['/1/upload', 'include'],
  ] as const) {
    expect(await uploadTo(url, uploaded)).toBe('/cover');
    expect(fetchStub.mock.lastCall?.[1]).toMatchObject({ credentials });
  }
});

test('a 401 from the store ends the session, a 401 from another host does not', async () => {
  const refused = ({ origin }: URL) =>
    origin === 'https://shop.example' && storeConfig.imageHost.url === otherHost
      ? Response.json({ key: 'k' })
      : new Response('', { status: 401 });
  expect(api.isSessionOver(await uploadTo('/1/upload', refused))).toBe(true);
  const foreignError = await uploadTo(otherHost, refused);
  expect(foreignError).toBeInstanceOf(Error);
  expect(api.isSessionOver(foreignError)).toBe(false);
});
