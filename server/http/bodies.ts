import type { IncomingMessage } from 'node:http';
import { Ajv, type ErrorObject } from 'ajv';
import fastJsonStringify, { type Schema as FastJsonSchema } from 'fast-json-stringify';
import type { FastifyInstance, preValidationHookHandler, RouteOptions } from 'fastify';
import { formats } from '../../contract/field-formats.ts';
import { Problem } from './problems.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For a POST whose address says everything. Its handler reads no body. */
    hasNoBody?: boolean;
  }
}

/** The `preValidation` hook of a route whose body may be left out: the validator would take a missing body for null. */
export const acceptNoBody: preValidationHookHandler = (request, _reply, done) => {
  request.body ??= {};
  done();
};

/**
 * Refuses bodies above the route's `bodyLimit` before they travel, and invites a client that asks first (`Expect: 100-continue`, RFC 9110,
 * section 10.1.1) once the guards have admitted its request.
 */
export function inviteBodies(app: FastifyInstance): void {
  const uninvited = new WeakSet<IncomingMessage>();
  app.server.on('checkContinue', (request, response) => {
    uninvited.add(request);
    app.server.emit('request', request, response);
  });
  // The first hook after the guards.
  app.addHook('preParsing', ({ is404, raw, routeOptions }, reply, _payload, done) => {
    if (is404) return done();
    const { bodyLimit = Number.POSITIVE_INFINITY } = routeOptions;
    if (Number(raw.headers['content-length']) > bodyLimit) return done(new Problem('BODY_TOO_LARGE'));
    if (uninvited.delete(raw)) reply.raw.writeContinue();
    done();
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (uninvited.has(request.raw)) reply.header('connection', 'close');
    done();
  });
}

function whenNeeded<Made>(make: () => Made): () => Made {
  let made: { value: Made } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function createValidator(storeOrigin: string): Ajv {
  const ajv = new Ajv({ allErrors: true, meta: false, validateSchema: false, verbose: true });
  for (const [name, { type, check }] of Object.entries(formats)) {
    const validate = (value: string | number) => check(value, storeOrigin);
    ajv.addFormat(name, type === 'number' ? { type, validate } : { type, validate });
  }
  return ajv;
}

/** @returns an error with the message of its format for the value, and without the value: it may be logged. */
const withMessage = ({ data, instancePath, schemaPath, keyword, params, message = '' }: ErrorObject) => {
  const format = keyword === 'format' ? formats[String(params['format'])] : undefined;
  return { instancePath, schemaPath, keyword, params, message: format?.message(String(data)) ?? message };
};

export function checkValue(
  schema: object,
  value: unknown,
): (Error & { validation: ErrorObject[] }) | undefined {
  const validate = createValidator('').compile(schema);
  if (validate(value)) return undefined;
  return Object.assign(new Error('invalid'), { validation: (validate.errors ?? []).map(withMessage) });
}

/**
 * Validates every part of a request against its schema, which the first such request compiles: all of them together would be a
 * quarter of a start. No value is coerced, except that a query, a header or a parameter of decimal digits alone becomes a number where
 * the schema asks for an integer. Ajv's coercion also accepts `0x10`, `1e1` and ` 5`, and lets `Infinity` pass as an integer.
 * @param storeOrigin the store's own origin, for the format of a book's image.
 */
export function validateStrictly(app: FastifyInstance, storeOrigin: string): void {
  const ajv = whenNeeded(() => createValidator(storeOrigin));
  app.setValidatorCompiler<Schema>(({ schema, httpPart }) => {
    const compiled = whenNeeded(() => ajv().compile(schema));
    const integers = Object.entries(httpPart === 'body' ? {} : (schema.properties ?? {}))
      .filter(([, { type }]) => type === 'integer')
      .map(([name]) => name);
    return (value: Record<string, unknown>) => {
      for (const name of integers) {
        const text = value[name];
        // As many digits as a number holds exactly.
        if (typeof text === 'string' && /^\d{1,15}$/.test(text)) value[name] = Number(text);
      }
      const validate = compiled();
      return validate(value) || { error: (validate.errors ?? []).map(withMessage) };
    };
  });
}

/** Compiles each schema of a response once, for its first response: most routes share those of problems, 300 of 340 in all. */
export function serializeWithSharedSchemas(app: FastifyInstance): void {
  const serializers = new Map<object, () => (value: unknown) => string>();
  app.setSerializerCompiler<object>(({ schema }) => {
    const compiled = serializers.get(schema) ?? whenNeeded(() => fastJsonStringify(schema as FastJsonSchema));
    serializers.set(schema, compiled);
    return (value) => compiled()(value);
  });
}

/**
 * From then on `app.ready()` throws for a described route without a schema for its response, for the parameters of its
 * address, or for a body that it may have.
 */
export function requireSchemas(app: FastifyInstance): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
  // Not earlier: a plugin may hide its routes in an `onRoute` hook that runs after the one above.
  app.addHook('onReady', async () => {
    for (const { method, url, schema, config } of routes) {
      if (schema?.hide) continue;
      const mayHaveBody = [method].flat().some((name) => ['POST', 'PUT', 'PATCH'].includes(name));
      const isMissing = {
        response: !schema?.response,
        params: !schema?.params && url.includes(':'),
        body: !schema?.body && mayHaveBody && !config?.multipart && !config?.hasNoBody,
      };
      for (const [part, missing] of Object.entries(isMissing)) {
        if (missing) throw new Error(`${method} ${url} declares no schema for its ${part}`);
      }
    }
  });
}

type Schema = { properties?: Record<string, { type?: string }> };

/** Parses JSON bodies and no other content type. The route for uploads adds multipart itself. */
export function parseBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Browser code often declares JSON on a call that sends no body, such as DELETE.
    if (body === '') done(null, undefined);
    else parseJson(request, String(body), done);
  });
}
