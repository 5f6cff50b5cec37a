/** Builds the OpenAPI description from the routes' declarations: schemas, names, access. */

import swagger from '@fastify/swagger';
import type { FastifyContextConfig, FastifyInstance, FastifySchema } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { ProblemBody } from '../../contract/problem.ts';
import type { Access } from '../access/guards.ts';
import { STATUS_CODES } from '../http/node-http.ts';
import { allCodes, type ProblemCode, problems, sentCode } from '../http/problems.ts';
import { version } from '../operations/build-info.ts';

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

const ofSession: readonly ProblemCode[] = ['SIGN_IN_REQUIRED', 'TOKEN_INVALID', 'NOT_ALLOWED'];
const ofAdmins: readonly ProblemCode[] = [...ofSession, 'EMAIL_NOT_VERIFIED'];
const ofDesk: readonly ProblemCode[] = [...ofAdmins, 'CROSS_SITE_REQUEST'];
const ofOperator: readonly ProblemCode[] = ['TOKEN_REQUIRED', 'NOT_ALLOWED'];

const accesses: Readonly<Record<Access, [sentence: string, codes: readonly ProblemCode[]]>> = {
  public: ['', []],
  customer: ['Needs a session.', ofSession],
  owner: ['Needs the session of the customer whose e-mail is in the address.', ofSession],
  admin: ['Needs a session that may change the catalogue.', ofAdmins],
  desk: ['Needs a session of an admin that ADMIN_EMAILS or ADMIN_CLAIM names, or the demo’s.', ofDesk],
  operator: [
    'Needs the token of METRICS_TOKEN; without one, a direct request from the same machine.',
    ofOperator,
  ],
};

/** Problems of every call: the request is refused before its route sees it, or the store fails. */
const ofEveryCall: readonly ProblemCode[] = [
  ...(['MALFORMED_REQUEST', 'TWO_HOSTS', 'REQUEST_TIMEOUT', 'BODY_TOO_LARGE'] as const),
  ...(['MISDIRECTED_REQUEST', 'HEADERS_TOO_LARGE', 'INTERNAL', 'BUSY', 'UNAVAILABLE'] as const),
];
const ofChanges: readonly ProblemCode[] = ['CROSS_SITE_REQUEST', 'MALFORMED_BODY', 'UNSUPPORTED_MEDIA_TYPE'];

const introduction = `The calls of the store’s own pages, for other programs too.

**Who may call.** Reads of the catalogue are public. For the rest a browser has the cookie of a session, and a script
sends \`Authorization: Bearer\` with a token of \`npm run shop -- tokens create\`.

**Errors** are problem documents (RFC 9457, \`application/problem+json\`). Match the \`code\`, which never changes its
meaning; \`errors\` names the fields. Each call lists the codes of its statuses. After 429 and 503 wait for the seconds
of \`Retry-After\`, then send the same request again.

**Lists** have at most 200 items a page. \`Link\` with \`rel="next"\` (RFC 8288) names the next page.`;

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
      // A relative address is right under every name of the store.
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

type Call = { method: string; schema: FastifySchema; config: FastifyContextConfig };
type Declared = { description?: string; content?: Record<string, object>; 'x-codes'?: ProblemCode[] };

function describedSchema(call: Call): FastifySchema {
  const { schema, config } = call;
  const { access = 'public', scope, multipart } = config;
  const ofScope = `A script sends a token that may \`${scope}\` instead (\`npm run shop -- tokens create\`).`;
  const sentences = [schema.description, accesses[access][0], scope && ofScope];
  // Each entry is one way to be admitted. A call that anyone may make has no entries.
  const session = [{ session: [] }, ...(scope ? [{ token: [] }] : [])];
  const security = access === 'public' ? [] : access === 'operator' ? [{ metricsToken: [] }] : session;
  return {
    ...{ ...schema, security, response: describedResponses(call) },
    description: sentences.filter(Boolean).join(' '),
    ...(multipart ? { body: multipart } : {}),
  };
}

function describedResponses(call: Call): Record<string, object> {
  const declared = (call.schema.response ?? {}) as Record<string, Declared>;
  const described = Object.entries(declared).map(([status, schema]): [string, object] => {
    // Without a type, the plugin would describe a body for a response that has only a description.
    if (Object.keys(schema).join() === 'description') return [status, { ...schema, type: 'null' }];
    const name = schema.description ? {} : { 'x-response-description': STATUS_CODES[status] ?? status };
    return [status, { ...schema, ...name }];
  });
  const refusals = Object.entries(codesOf(call, declared)).map(([status, codes]): [string, object] => {
    const ofCodes = Type.Object({ code: Type.Optional(Type.Enum(codes.map(sentCode))) });
    const content = { 'application/problem+json': { schema: Type.Intersect([ProblemBody, ofCodes]) } };
    const { content: own = content } = declared[status] ?? {};
    const isProblem = 'application/problem+json' in own;
    return [status, { description: listed(status, codes), content: isProblem ? content : own }];
  });
  return Object.fromEntries([...described, ...refusals]);
}

/** @returns the codes of 400 and of each other refusal that the call declares; under `default` those of every other status. */
function codesOf({ method, schema, config }: Call, declared: Readonly<Record<string, Declared>>) {
  const { access = 'public', limit, multipart } = config;
  const hasParts = schema.params || schema.querystring || schema.headers || schema.body || multipart;
  const implied: ProblemCode[] = [
    ...(hasParts ? (['VALIDATION_FAILED'] as const) : []),
    ...accesses[access][1],
    ...(limit === undefined ? [] : (['TOO_MANY_REQUESTS'] as const)),
    ...(method === 'GET' ? [] : ofChanges),
    ...ofEveryCall,
  ];
  const statuses = new Set(['400', ...Object.keys(declared).filter((status) => Number(status) >= 400)]);
  const known = [...implied, ...Object.values(declared).flatMap((one) => one['x-codes'] ?? [])];
  const byStatus = [...statuses].map((status): [string, ProblemCode[]] => {
    const all = allCodes.filter((code) => statusOf(code) === status);
    // Most statuses have one code.
    return [status, all.length === 1 ? all : all.filter((code) => known.includes(code))];
  });
  const others = implied.filter((code) => !statuses.has(statusOf(code)));
  return Object.fromEntries([...byStatus, ['default', others] as const]);
}

const statusOf = (code: ProblemCode): string => String(problems[code].status);

function listed(status: string, codes: readonly ProblemCode[]): string {
  const placeOf = (code: ProblemCode) => (status === 'default' ? ` (${statusOf(code)})` : '');
  const items = codes.map((code) => `- \`${sentCode(code)}\`${placeOf(code)}: ${problems[code].title}`);
  return [`${STATUS_CODES[status] ?? 'What any call may meet'}:`, '', ...items].join('\n');
}

type Node = Record<string, unknown>;

/** Moves each schema with a title to `components`. The routes keep their schemas: Fastify validates and serializes with them. */
function withSharedSchemas<Of extends { components?: object; paths?: object }>(document: Of): Of {
  const schemas: Record<string, Node> = {};
  const share = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(share);
    if (typeof value !== 'object' || value === null) return value;
    const node: Node = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, share(inner)]));
    // The plugin has moved the examples of a whole body out of its schema.
    const { title, examples: _, ...schema } = node;
    // `title` may also be the name of a property, or a member of an example.
    if (typeof title !== 'string' || schema['type'] !== 'object') return node;
    schemas[title] = { title, ...schema };
    return { $ref: `#/components/schemas/${title}` };
  };
  return { ...document, paths: share(document.paths), components: { ...document.components, schemas } };
}
