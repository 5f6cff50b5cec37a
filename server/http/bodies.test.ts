import fastify, { type RouteOptions } from 'fastify';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { requireSchemas } from './bodies.ts';

const schema = Type.Object({});
const response = { 200: schema };

test.each<[string, Pick<RouteOptions, 'method' | 'url' | 'schema' | 'config'>]>([
  ['response', { method: 'GET', url: '/books' }],
  ['response', { method: 'POST', url: '/touch', schema: { body: schema } }],
  ['params', { method: 'GET', url: '/book/:id', schema: { response } }],
  ['body', { method: 'POST', url: '/touch', schema: { response } }],
  ['body', { method: ['GET', 'PATCH'], url: '/touch', schema: { response } }],
])('a route without a schema for its %s does not start: %j', async (part, route) => {
  const app = fastify();
  requireSchemas(app);
  app.route({ ...route, handler: async () => '' });

  await expect(app.ready()).rejects.toThrow(`${route.url} declares no schema for its ${part}`);
});
