import { beforeAll, beforeEach, expect, test, vi } from 'vitest';

const fetchStub = vi.fn<typeof fetch>();
let api: typeof import('./client.ts');

// The module reads the page that it runs in as soon as it is loaded.
beforeAll(async () => {
  const store = {
    name: 'Colophon',
    providerName: 'us',
    apiHost: '',
    imageHost: { url: '/1/upload', key: 'k' },
  };
  vi.stubGlobal('window', { location: { origin: 'https://shop.example' } });
  vi.stubGlobal('document', { getElementById: () => ({ textContent: JSON.stringify(store) }) });
  vi.stubGlobal('fetch', fetchStub);
  api = await import('./client.ts');
  return () => vi.unstubAllGlobals();
});

beforeEach(() => {
  fetchStub.mockReset();
});

const problemOf = (answer: Response) => {
  fetchStub.mockResolvedValue(answer);
  return api.callApi('/books').catch((error: unknown) => error);
};

test('an answer is its JSON and the address of the next page', async () => {
  fetchStub.mockResolvedValue(
    Response.json(['a book'], { headers: { link: '</books?cursor=2>; rel="next"' } }),
  );
  await expect(api.callApi('/books')).resolves.toEqual({ body: ['a book'], next: '/books?cursor=2' });
});

test('a refusal carries its code, its status and its field errors', async () => {
  const errors = [{ field: 'price.value', message: 'Must be a price.' }];
  const refusal = await problemOf(
    Response.json(
      { type: 'about:blank', title: 'Not valid', status: 400, code: 'VALIDATION_FAILED', errors },
      { status: 400, headers: { 'content-type': 'application/problem+json; charset=utf-8' } },
    ),
  );
  expect(refusal).toMatchObject({ name: 'ApiProblem', status: 400, code: 'VALIDATION_FAILED', errors });
  expect(api.isTransient(refusal)).toBe(false);
});

test('a store that is busy says when to ask again', async () => {
  const busy = await problemOf(new Response('', { status: 503, headers: { 'retry-after': '2' } }));
  expect(busy).toMatchObject({ status: 503, code: 'UNKNOWN', retryAfterMs: 2000 });
  expect(api.isTransient(busy)).toBe(true);
});

test.each(['{"code": "BUS', 'null', ''])(
  'a refusal whose body is %j is still a refusal, by its status',
  async (body) => {
    const headers = { 'content-type': 'application/problem+json' };
    const refusal = await problemOf(new Response(body, { status: 503, headers }));
    expect(refusal).toMatchObject({ name: 'ApiProblem', status: 503, code: 'UNKNOWN', errors: [] });
    expect(api.isTransient(refusal)).toBe(true);
  },
);

test('a call that gets no answer is worth repeating', async () => {
  fetchStub.mockRejectedValue(new TypeError('Failed to fetch'));
  const silence = await api.callApi('/books').catch((error: unknown) => error);
  expect(api.isTransient(silence)).toBe(true);
});

test('a file goes to another host without cookies, and to the store with them', async () => {
  fetchStub.mockImplementation(async () => Response.json({}));
  const { signal } = new AbortController();

  await api.postForm('https://images.example/1/upload', new FormData(), signal);
  expect(fetchStub.mock.lastCall?.[1]).toMatchObject({ credentials: 'omit' });
  await api.postForm('/1/upload', new FormData(), signal);
  expect(fetchStub.mock.lastCall?.[1]).toMatchObject({ credentials: 'include' });
});

test('a 401 on an upload ends the session when it is the store’s own, not when it is another host’s', async () => {
  fetchStub.mockImplementation(async () => new Response('', { status: 401 }));
  const { signal } = new AbortController();
  const errorMessage = (address: string) =>
    api.postForm(address, new FormData(), signal).catch((error: unknown) => error);

  expect(api.isSessionOver(await errorMessage('/1/upload'))).toBe(true);
  const foreign = await errorMessage('https://images.example/1/upload');
  expect(foreign).toBeInstanceOf(Error);
  expect(api.isSessionOver(foreign)).toBe(false);
});
