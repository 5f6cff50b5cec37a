/** The store's description for clients, made of what the routes declare: schemas, names, access. */

import { readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import type { TSchema } from 'typebox';
import type { Access } from '../sign-in/guards.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The parts of a multipart body, which the handler reads by itself: told to clients, checked by nobody else. */
    multipart?: TSchema;
  }
}

/** What a route's `tags` may name: the parts of the store. */
const tags = [
  { name: 'catalogue', description: 'The books for sale, and keeping them.' },
  { name: 'orders', description: 'Buying a book, and what was bought.' },
  { name: 'sign-in', description: 'The session, and the pages of the sign-in popup.' },
  { name: 'images', description: 'The images that the store hosts.' },
  { name: 'operations', description: 'What monitors ask for.' },
];

const whoMayCall: Readonly<Record<Access, string>> = {
  public: '',
  customer: 'Needs a session.',
  owner: 'Needs the session of the customer whose e-mail is in the address.',
  admin: 'Needs a session that may change the catalogue.',
};

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** Describes every route that is registered after it and does not hide itself. */
export async function describeCalls(
  app: FastifyInstance,
  { storeName, sessionCookie }: { storeName: string; sessionCookie: string },
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: storeName, version },
      tags,
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: sessionCookie, description: 'Set by the sign-in.' },
        },
      },
    },
    transform: ({ schema, url, route }) => ({ schema: describedSchema(schema, route.config), url }),
    transformObject: (document) =>
      'openapiObject' in document ? withSharedSchemas(document.openapiObject) : document.swaggerObject,
  });
}

function describedSchema(
  schema: FastifySchema | undefined,
  { access = 'public', multipart }: { access?: Access; multipart?: TSchema } = {},
): FastifySchema {
  const description = [schema?.description, whoMayCall[access]].filter(Boolean).join(' ');
  return {
    ...schema,
    ...(description === '' ? {} : { description }),
    ...(access === 'public' ? {} : { security: [{ session: [] }] }),
    ...(multipart ? { body: multipart } : {}),
  };
}

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/**
 * Writes each schema that has a title once, under `components`, and refers to it everywhere else. The routes' own
 * schemas stay whole: what validates and serialises follows no reference.
 * @throws when two different schemas have the same title.
 */
function withSharedSchemas<Document extends { components?: object; paths?: object }>(
  document: Document,
): Document {
  const schemas: Record<string, Node> = {};

  const share = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(share);
    if (!isNode(value)) return value;
    const node = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, share(inner)]));
    const { title } = node;
    // Where a schema's properties are listed, `title` can be one of them: then it is no text.
    if (typeof title !== 'string' || typeof node['type'] !== 'string') return node;
    const known = schemas[title];
    if (known && JSON.stringify(known) !== JSON.stringify(node)) {
      throw new Error(`two schemas are called ${title}`);
    }
    schemas[title] = node;
    return { $ref: `#/components/schemas/${title}` };
  };

  const paths = share(document.paths);
  nameAnswers(paths);
  return { ...document, paths, components: { ...document.components, schemas } };
}

/** What no route describes is called by its status. */
function nameAnswers(paths: unknown): void {
  for (const operations of Object.values(isNode(paths) ? paths : {})) {
    for (const operation of Object.values(isNode(operations) ? operations : {})) {
      if (!isNode(operation) || !isNode(operation['responses'])) continue;
      for (const [status, answer] of Object.entries(operation['responses'])) {
        if (isNode(answer) && answer['description'] === 'Default Response') {
          answer['description'] = STATUS_CODES[status] ?? status;
        }
      }
    }
  }
}
