/** Builds the OpenAPI description from the routes' declarations: schemas, names, access. */

import { readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import type { TSchema } from 'typebox';
import type { Access } from '../access/guards.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The parts of a multipart body, for the description only: the handler reads and checks them itself. */
    multipart?: TSchema;
  }
}

/** The tags that routes may have. */
const tags = [
  { name: 'catalogue', description: 'The books for sale.' },
  { name: 'orders', description: 'Buying books, and the orders of a customer.' },
  { name: 'sign-in', description: 'The session, and the pages of the sign-in popup.' },
  { name: 'images', description: 'The images that the store hosts.' },
  { name: 'pages', description: 'What crawlers and home screens read about the pages.' },
  { name: 'desk', description: 'What the owner sees and does at the desk.' },
  { name: 'operations', description: 'Health and metrics, for monitoring.' },
];

const accessDescriptions: Readonly<Record<Access, string>> = {
  public: '',
  customer: 'Needs a session.',
  owner: 'Needs the session of the customer whose e-mail is in the address.',
  admin: 'Needs a session that may change the catalogue.',
  desk: 'Needs a session of an admin that ADMIN_EMAILS names, or the demo’s.',
  operator: 'Needs the token of METRICS_TOKEN. Without that setting: a direct request from the same machine.',
};

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/**
 * Describes every route that is registered after the call, except those with `schema.hide`; `app.swagger()` returns the
 * document.
 * @param sessionCookie the name of the session cookie, for the security scheme.
 */
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
          metricsToken: { type: 'http', scheme: 'bearer', description: 'The value of METRICS_TOKEN.' },
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
  const description = [schema?.description, accessDescriptions[access]].filter(Boolean).join(' ');
  return {
    ...schema,
    ...(description === '' ? {} : { description }),
    ...(access === 'public'
      ? {}
      : { security: [{ [access === 'operator' ? 'metricsToken' : 'session']: [] }] }),
    ...(multipart ? { body: multipart } : {}),
  };
}

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** A response that its route does not describe is described by the name of its status. */
const named = (status: string, node: unknown): unknown =>
  isNode(node) && node['description'] === 'Default Response'
    ? { ...node, description: STATUS_CODES[status] ?? status }
    : node;

/**
 * Moves each schema with a title to `components`, and replaces it by a reference. The schemas of the routes themselves
 * are not changed, because Fastify validates and serializes with them.
 * @throws when two different schemas have the same title.
 */
function withSharedSchemas<Document extends { components?: object; paths?: object }>(
  document: Document,
): Document {
  const schemas: Record<string, Node> = {};

  const share = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(share);
    if (!isNode(value)) return value;
    const node = Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, named(key, share(inner))]),
    );
    const { title } = node;
    // In a list of properties `title` can be the name of one, with a schema as its value.
    if (typeof title !== 'string' || typeof node['type'] !== 'string') return node;
    const existing = schemas[title];
    if (existing && JSON.stringify(existing) !== JSON.stringify(node)) {
      throw new Error(`two different schemas have the title ${title}`);
    }
    schemas[title] = node;
    return { $ref: `#/components/schemas/${title}` };
  };

  return { ...document, paths: share(document.paths), components: { ...document.components, schemas } };
}
