import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { deskScreens } from '../../contract/desk/paths.ts';
import { paths, screenPatterns } from '../../contract/paths.ts';
import { withdrawalPaths } from '../../contract/withdrawal.ts';
import { openTestStore, readJson, shareTestStore, type TestStore } from '../testing/test-store.ts';

type Media = { schema: unknown; example?: unknown; examples?: Record<string, { $ref: string }> };
type Operation = {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  security?: unknown;
  parameters?: { name: string; description?: string; example?: unknown }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
};
type Description = {
  openapi: string;
  info: { title: string; version: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, unknown>;
    securitySchemes: Record<string, unknown>;
    examples: Record<string, { value: { code: string } }>;
  };
};

/** Routes that are not part of the API: pages, their files, and the description itself. */
const undescribed = [
  ...screenPatterns,
  ...deskScreens,
  withdrawalPaths.page,
  paths.shopPage.pattern,
  paths.signInPopupScript,
  paths.shopPage.pattern,
  paths.openApi,
  paths.docs,
  '/assets/home-abc123.js',
];

const store = shareTestStore({ storeName: 'Reed & Sons' });
let description: Description;
beforeAll(async () => {
  description = await readJson(await store.call('/openapi.json'));
});

const operationOf = (method: string, address: string): Operation | undefined =>
  description.paths[address.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];

/** Every object in the description, with its path. */
function* nodesIn(value: unknown, path = ''): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  yield [path, value as Record<string, unknown>];
  for (const [key, inner] of Object.entries(value)) yield* nodesIn(inner, `${path}/${key}`);
}

describe('the description of the API', () => {
  test('gives every route an operation id, a tag, a summary and a description, and shows who may call it', () => {
    const routes = Object.entries(store.app.declaredAccess)
      .map(([route, access]) => [...route.split(' '), access] as [string, string, string])
      .filter(([method, url]) => method !== 'HEAD' && !undescribed.includes(url));
    const tags = description.tags.map(({ name }) => name);

    for (const [method, url, access] of routes) {
      const operation = operationOf(method, url);
      const route = `${method} ${url}`;
      expect(operation?.operationId, route).toMatch(/^[a-z][A-Za-z]+$/);
      expect(operation?.summary, route).toMatch(/^[A-Z].{8,}[^.]$/);
      expect(operation?.tags, route).toHaveLength(1);
      expect(tags, route).toContain(operation?.tags?.[0]);
      expect(operation?.description, route).toMatch(/^[A-Z].{8,}\.$/s);
      const isForScripts = `${method} ${url}` in store.app.declaredScopes;
      const session = [{ session: [] }, ...(isForScripts ? [{ token: [] }] : [])];
      const ways = access === 'public' ? [] : access === 'operator' ? [{ metricsToken: [] }] : session;
      expect(operation?.security, route).toEqual(ways);
    }
    const described = Object.values(description.paths).flatMap((path) => Object.values(path));
    expect(described).toHaveLength(routes.length);
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(description).toMatchObject({ openapi: '3.1.0', info: { title: 'Reed & Sons', version } });
    expect(new Set(described.map(({ operationId }) => operationId)).size).toBe(routes.length);
    expect(description.components.securitySchemes).toEqual({
      session: expect.objectContaining({ type: 'apiKey', in: 'cookie', name: 'colophon-session' }),
      token: expect.objectContaining({ type: 'http', scheme: 'bearer' }),
      metricsToken: expect.objectContaining({ type: 'http', scheme: 'bearer' }),
    });
  });

  test('contains each schema with a title once, and refers to it elsewhere', () => {
    expect(Object.keys(description.components.schemas)).toEqual(
      expect.arrayContaining(['Book', 'NewBook', 'DeletedBook', 'Order', 'NewOrder', 'SignedIn', 'Problem']),
    );
    // An example of a book has a title too, but no type; the type of an event's example is no schema's.
    const isTitledSchema = (node: Record<string, unknown>) =>
      typeof node['title'] === 'string' && node['type'] === 'object';
    expect([...nodesIn(description.paths)].filter(([, node]) => isTitledSchema(node))).toEqual([]);
    const { requestBody, responses = {} } = operationOf('POST', '/addOrder') ?? {};
    expect(requestBody?.content['application/json']?.schema).toEqual({
      $ref: '#/components/schemas/NewOrder',
    });
    const statuses = ['201', '400', '401', '403', '404', '409', '415', '422', '429', 'default'];
    expect(Object.keys(responses)).toEqual(statuses);
  });

  test('names the codes of each status, in words and in the schema', () => {
    const responses = operationOf('POST', '/addOrder')?.responses ?? {};

    expect(responses['401']?.description).toMatch(
      /^Unauthorized:\n\n- `SIGN_IN_REQUIRED`: Sign in first\.\n- /,
    );
    const { schema } = responses['409']?.content?.['application/problem+json'] ?? {};
    expect(schema).toMatchObject({
      allOf: [
        {},
        { properties: { code: { enum: ['PRICE_CHANGED', 'DELIVERY_CHANGED', 'SOLD_OUT', 'BOOK_CHANGED'] } } },
      ],
    });
    expect(responses['default']?.description).toContain('- `BUSY` (503): The store is busy.');
  });

  test('has a description of each parameter, an example of each body that the shop’s calls take, and explains each format', () => {
    for (const [address, methods] of Object.entries(description.paths)) {
      for (const [method, { parameters = [], requestBody, tags }] of Object.entries(methods)) {
        for (const { name, description } of parameters) {
          expect(description, `${method} ${address} ${name}`).toMatch(/./);
        }
        const body = requestBody?.content['application/json'];
        if (body && !tags?.includes('desk')) expect(body, `${method} ${address}`).toHaveProperty('example');
      }
    }
    // A parameter has its description beside its schema.
    const formats = [...nodesIn(description)].filter(
      ([path, node]) => 'format' in node && !/parameters\/\d+\/schema$/.test(path),
    );
    expect(formats.length).toBeGreaterThan(0);
    for (const [path, node] of formats) expect(node['description'], path).toBeTruthy();
  });
});

describe('/docs', () => {
  test('is a page with every call and code of the description, and allows its own style and icon alone', async () => {
    const response = await store.call(paths.docs);
    const html = await response.text();

    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html).toContain('<h1>API of Reed &amp; Sons</h1>');
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    const operations = Object.values(description.paths).flatMap((path) => Object.values(path));
    expect(ids).toEqual(expect.arrayContaining(operations.map(({ operationId }) => operationId)));
    expect(new Set(ids).size).toBe(ids.length);
    const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(targets.filter((id) => !ids.includes(id))).toEqual([]);
    const order = html.slice(html.indexOf('<article id="placeOrder">')).split('</article>', 1)[0];
    for (const part of ['&quot;bookId&quot;', '<code>PRICE_CHANGED</code>', '#schema-Order']) {
      expect(order).toContain(part);
    }
    const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? '';
    expect(response.headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; img-src 'self'; ` +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(html).not.toMatch(/<script| style="| on\w+="/);
  });
});

describe('/metrics', () => {
  const token = 'prometheus-token-1';
  const open = shareTestStore({
    settings: { host: '0.0.0.0', trustedProxies: ['192.0.2.0/24', '127.0.0.0/8'] },
  });
  const guarded = shareTestStore({ settings: { metricsToken: token, host: '0.0.0.0' } });
  type Headers = Record<string, string>;
  const read = async (of: TestStore, headers: Headers, remoteAddress = '127.0.0.1') => {
    const response = await of.app.inject({ url: paths.metrics, headers, remoteAddress });
    return [response.statusCode, response.headers['www-authenticate'] ?? '', response.payload] as const;
  };

  test('without a token is refused to another machine, a proxy of this one, and a page of another site, by a name that leads here', async () => {
    const ofProxies = [
      ...['X-Forwarded-For', 'X-Forwarded-Host', 'X-Original-Forwarded-For', 'X-Real-IP', 'X-Client-IP'],
      ...['X-Cluster-Client-IP', 'True-Client-IP', 'Fastly-Client-IP', 'CF-Connecting-IP', 'Via'],
    ];
    const refused: [string, Headers, string?][] = [
      ['a page of another site', { host: 'evil.example' }],
      ...ofProxies.map((name): [string, Headers] => [name, { [name]: '192.0.2.1' }]),
      ['X-Forwarded-Proto', { 'x-forwarded-proto': 'https' }],
      ['Forwarded', { forwarded: 'for=192.0.2.1' }],
      ['CDN-Loop', { 'cdn-loop': 'cloudflare' }],
      ['another machine', {}, '192.0.2.1'],
      ['a trusted proxy', { 'x-forwarded-for': '127.0.0.1' }, '192.0.2.1'],
    ];
    for (const [name, headers, remoteAddress] of refused) {
      const [status, , body] = await read(open, headers, remoteAddress);

      expect([name, status, JSON.parse(body).code]).toEqual([name, 403, 'NOT_ALLOWED']);
      expect(body).toContain('METRICS_TOKEN');
    }
    for (const remoteAddress of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
      for (const host of ['localhost:3000', '127.0.0.1', '[::1]:3000']) {
        const [status, , text] = await read(store, { host }, remoteAddress);
        expect([remoteAddress, host, status, text.slice(0, 6)]).toEqual([remoteAddress, host, 200, '# HELP']);
      }
    }
  });

  test('with a token responds to a request that has it, from anywhere, and refuses one of this machine that has another', async () => {
    const headers = { host: 'books.example', 'x-forwarded-for': '192.0.2.1' };

    for (const authorization of [`Bearer ${token}`, `bearer  ${token}`]) {
      const [status, , body] = await read(guarded, { ...headers, authorization }, '192.0.2.1');
      expect([status, body]).toEqual([200, expect.stringContaining('# HELP')]);
    }
    const response = await guarded.call(paths.metrics, { headers: { authorization: `Bearer ${token}` } });
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    const others = ['', `Bearer ${token.slice(0, -1)}`, `Bearer ${token}1`, `Bearer ${token.toUpperCase()}`];
    for (const authorization of [...others, `Basic ${token}`]) {
      const [status, challenge, body] = await read(guarded, { authorization });

      const answer = [authorization, status, challenge, JSON.parse(body).code];
      expect(answer).toEqual([authorization, 401, 'Bearer', 'TOKEN_REQUIRED']);
    }
  });
});

test('/.well-known/security.txt names the contact, this address, and a date in the coming year (RFC 9116)', async () => {
  const publicUrl = new URL('https://books.example');
  const securityContact = 'mailto:security@books.example';
  const shop = await openTestStore({ settings: { securityContact, publicUrl } });

  const response = await shop.call('/.well-known/security.txt');
  const lines = (await response.text()).trimEnd().split('\n');

  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(lines.toSorted()).toEqual([
    'Canonical: https://books.example/.well-known/security.txt',
    'Contact: mailto:security@books.example',
    expect.stringMatching(/^Expires: /),
    'Preferred-Languages: en',
  ]);
  const expires = lines.find((line) => line.startsWith('Expires: '))?.slice('Expires: '.length) ?? '';
  const days = (Date.parse(expires) - Date.now()) / (24 * 60 * 60 * 1000);
  expect([days > 30, days < 365]).toEqual([true, true]);
  // A shop without a contact has no such file.
  const without = await store.call('/.well-known/security.txt');
  expect(await readJson(without, 404)).toMatchObject({ code: 'NOT_FOUND' });
});
