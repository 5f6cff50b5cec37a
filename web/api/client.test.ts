import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { stubPage } from './stubbed-page.ts';

const fetchStub = stubPage();
let api: typeof import('./client.ts') & typeof import('./upload-image.ts');

// The modules read the page's configuration when they are imported.
beforeAll(async () => {
  api = { ...(await import('./client.ts')), ...(await import('./upload-image.ts')) };
  return () => vi.unstubAllGlobals();
});

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

test('an upload sends cookies to the store, and none to another host', async () => {
  fetchStub.mockImplementation(async () => Response.json({}));
  const { signal } = new AbortController();

  await api.postForm('https://images.example/1/upload', new FormData(), signal);
  expect(fetchStub.mock.lastCall?.[1]).toMatchObject({ credentials: 'omit' });
  await api.postForm('/1/upload', new FormData(), signal);
  expect(fetchStub.mock.lastCall?.[1]).toMatchObject({ credentials: 'include' });
});

test('a 401 from the store ends the session, a 401 from another host does not', async () => {
  fetchStub.mockImplementation(async () => new Response('', { status: 401 }));
  const { signal } = new AbortController();
  const uploadError = (address: string) =>
    api.postForm(address, new FormData(), signal).catch((error: unknown) => error);

  expect(api.isSessionOver(await uploadError('/1/upload'))).toBe(true);
  const foreignError = await uploadError('https://images.example/1/upload');
  expect(foreignError).toBeInstanceOf(Error);
  expect(api.isSessionOver(foreignError)).toBe(false);
});
