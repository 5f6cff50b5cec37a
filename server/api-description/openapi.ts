/** Builds the OpenAPI description from the routes' declarations: schemas, names, access. */

import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { ProblemBody } from '../../contract/problem.ts';
import type { Access } from '../access/guards.ts';
import { STATUS_CODES } from '../http/node-http.ts';
import { sentCode } from '../http/problems.ts';
import { version } from '../operations/build-info.ts';
import { codesOfCall, type DescribedCall, describedCodes } from './described-problems.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The parts of a multipart body, for the description only: the handler reads and checks them itself. */
    multipart?: TSchema;
  }
}

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
  desk: 'Needs a session of an admin that ADMIN_EMAILS or ADMIN_CLAIM names, or the demo’s.',
  operator: 'Needs the token of METRICS_TOKEN. Without that setting: a direct request from the same machine.',
};

const introduction = `The calls of the store’s own pages, for other programs too.

**Who may call.** Reads of the catalogue are public. For the rest a browser has the cookie of a session, and a script
sends \`Authorization: Bearer\` with a token of \`npm run shop -- tokens create\`.

**Errors** are problem documents (RFC 9457, \`application/problem+json\`). Match the \`code\`, which never changes its
meaning; \`errors\` names the fields. Each call lists the codes of its statuses. After 429 and 503 wait for the seconds
of \`Retry-After\`, then send the same request again.

**Lists** have at most 200 items a page. \`Link\` with \`rel="next"\` (RFC 8288) names the next page.

**Changes happen once.** \`POST /addOrder\` and \`POST /addBook\` take an \`Idempotency-Key\`: with the same key, a
request that is sent again returns what the first one made.`;

/** Describes every route that is registered after the call, but those with `schema.hide`. @param origin of the API. */
export async function describeCalls(
  app: FastifyInstance,
  { storeName, origin, sessionCookie }: { storeName: string; origin: string; sessionCookie: string },
): Promise<void> {
  const tokenDescription = 'A token of `npm run shop -- tokens create`, which may `catalogue` or `orders`.';
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        ...{ title: storeName, version, summary: `The API of ${storeName}`, description: introduction },
        contact: { name: storeName, url: origin },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      // As it is reached: the document is right under every name of the store.
      servers: [{ url: '/', description: 'This store.' }],
      tags,
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: sessionCookie, description: 'Set by the sign-in.' },
          token: { type: 'http', scheme: 'bearer', description: tokenDescription },
          metricsToken: { type: 'http', scheme: 'bearer', description: 'The value of METRICS_TOKEN.' },
        },
      },
    },
    transform: ({ schema = {}, url, route }) => {
      const call = { method: String(route.method), schema, config: route.config ?? {} };
      return { schema: schema.hide ? schema : describedSchema(call), url };
    },
    transformObject: (document) =>
      'openapiObject' in document ? withSharedSchemas(document.openapiObject) : document.swaggerObject,
  });
}

function describedSchema(call: DescribedCall): FastifySchema {
  const { schema, config } = call;
  const { access = 'public', scope, multipart } = config;
  const ofScope = `A script sends a token that may \`${scope}\` instead (\`npm run shop -- tokens create\`).`;
  const sentences = [schema.description, accessDescriptions[access], scope && ofScope];
  // Each is one way to be admitted. A call that anyone may make has none.
  const session = [{ session: [] }, ...(scope ? [{ token: [] }] : [])];
  const security = access === 'public' ? [] : access === 'operator' ? [{ metricsToken: [] }] : session;
  return {
    ...{ ...schema, security, response: describedResponses(call) },
    description: sentences.filter(Boolean).join(' '),
    ...(multipart ? { body: multipart } : {}),
  };
}

type Declared = { description?: string; content?: Record<string, object> };

function describedResponses(call: DescribedCall): Record<string, object> {
  const declared = (call.schema.response ?? {}) as Record<string, Declared>;
  const successes = Object.entries(declared).map(([status, schema]): [string, object] => {
    // Otherwise the plugin describes a body that has a description alone.
    if (Object.keys(schema).join() === 'description') return [status, { ...schema, type: 'null' }];
    const name = schema.description ? {} : { 'x-response-description': STATUS_CODES[status] ?? status };
    return [status, { ...schema, ...name }];
  });
  const refusals = Object.entries(codesOfCall(call)).map(([status, codes]): [string, object] => {
    const ofCodes = Type.Object({ code: Type.Optional(Type.Enum(codes.map(sentCode))) });
    const content = { 'application/problem+json': { schema: Type.Intersect([ProblemBody, ofCodes]) } };
    const { content: own = content } = declared[status] ?? {};
    const isProblem = 'application/problem+json' in own;
    return [status, { description: describedCodes(status, codes), content: isProblem ? content : own }];
  });
  return Object.fromEntries([...successes, ...refusals]);
}

type Node = Record<string, unknown>;

/** Moves each schema with a title to `components`. Those of the routes stay: Fastify validates and serializes with them. */
function withSharedSchemas<Of extends { components?: object; paths?: object }>(document: Of): Of {
  const schemas: Record<string, Node> = {};

  const share = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(share);
    if (typeof value !== 'object' || value === null) return value;
    const node: Node = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, share(inner)]));
    // The plugin has moved the examples of a whole body out of its schema.
    const { title, examples: _, ...schema } = node;
    // In a list of properties `title` can be the name of one, with a schema as its value. An example may have a title and a type of its own.
    if (typeof title !== 'string' || schema['type'] !== 'object') return node;
    const shared = { title, ...schema };
    const existing = schemas[title];
    if (existing && JSON.stringify(existing) !== JSON.stringify(shared)) {
      throw new Error(`two different schemas have the title ${title}`);
    }
    schemas[title] = shared;
    return { $ref: `#/components/schemas/${title}` };
  };

  return { ...document, paths: share(document.paths), components: { ...document.components, schemas } };
}
