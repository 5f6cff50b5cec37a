import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import fastJsonStringify, { type Schema as FastJsonSchema } from 'fast-json-stringify';
import type { FastifyInstance, onRequestAsyncHookHandler, preValidationHookHandler } from 'fastify';
import { formats } from '../../contract/field-formats.ts';
import { seenPattern } from '../../contract/pasted-text.ts';
import type { Money } from '../../contract/price.ts';
import type { FieldError } from '../../contract/problem.ts';
import { Problem } from './problems.ts';

/** Lets a route do without a body: the validator would take a missing body for null. */
export const acceptNoBody: preValidationHookHandler = (request, _reply, done) => {
  request.body ??= {};
  done();
};

/** Serves one request of a route at a time, because its body takes much memory. @throws {Problem} BUSY for another one. */
export function oneAtATime(): onRequestAsyncHookHandler {
  let isTaken = false;
  return async (_request, reply) => {
    if (isTaken) throw new Problem('BUSY', { detail: 'Another import is under way.' });
    // Otherwise a client that has gone would keep its place for ever.
    if (reply.raw.destroyed) throw new Problem('MALFORMED_BODY');
    isTaken = true;
    reply.raw.once('close', () => {
      isTaken = false;
    });
  };
}

export function parseBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Browser code often declares JSON on a call that sends no body, such as DELETE.
    if (body === '') done(null, undefined);
    else parseJson(request, String(body), done);
  });
  // A client that asks first (`Expect`, RFC 9110, section 10.1.1) is told to send its body once the guards have admitted its request.
  app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response));
  app.addHook('preParsing', ({ is404, raw, routeOptions }, reply, _payload, done) => {
    if (is404) return done();
    const { bodyLimit = Number.POSITIVE_INFINITY } = routeOptions;
    if (Number(raw.headers['content-length']) > bodyLimit) return done(new Problem('BODY_TOO_LARGE'));
    if (raw.headers.expect !== undefined) reply.raw.writeContinue();
    done();
  });
}

function createValidator(storeOrigin: string, money?: Money): Ajv {
  const ajv = new Ajv({ allErrors: true, meta: false, validateSchema: false, verbose: true });
  for (const [name, { type, check }] of Object.entries(formats)) {
    const validate = (value: string | number) => check(value, storeOrigin, money);
    ajv.addFormat(name, type === 'number' ? { type, validate } : { type, validate });
  }
  return ajv;
}

export const checkValue = (schema: object, value: unknown, money?: Money): Problem | undefined =>
  faultOf(createValidator('', money).compile(schema), value);

const faultOf = (validate: ValidateFunction, value: unknown): Problem | undefined =>
  validate(value)
    ? undefined
    : new Problem('VALIDATION_FAILED', { errors: fieldErrors(validate.errors ?? []) });

/** Reports one error per field. A format's message comes first: a type error may belong to another alternative of a union. */
function fieldErrors(faults: readonly ErrorObject[]): FieldError[] {
  const isFormat = ({ keyword }: ErrorObject) => keyword === 'format';
  const sorted = [...faults.filter(isFormat), ...faults.filter((fault) => !isFormat(fault))];
  const byField = Map.groupBy(sorted.map(fieldError), ({ field }) => field);
  return [...byField.values()].flatMap((errors) => errors.slice(0, 1));
}

function fieldError({ instancePath, keyword, params, message, data }: ErrorObject): FieldError {
  const path = instancePath.split('/').slice(1);
  if (keyword === 'required') path.push(String(params['missingProperty']));
  return { field: path.join('.'), message: messageFor(keyword, params, data) ?? sentenceOf(message) };
}

function messageFor(keyword: string, params: Record<string, unknown>, data: unknown): string | undefined {
  const isBlank = keyword === 'minLength' || (keyword === 'pattern' && params['pattern'] === seenPattern);
  if (keyword === 'required' || isBlank) return 'Must not be empty.';
  if (keyword === 'pattern') return 'Has characters that cannot be used here.';
  if (keyword === 'format') return formats[String(params['format'])]?.message(String(data));
  return keyword === 'maxLength' ? `Must not be longer than ${params['limit']} characters.` : undefined;
}

const sentenceOf = (message = 'cannot be used'): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;

type Schema = { properties?: Record<string, { type?: string }> };

/** Compiles each schema at its first request. Only decimal digits become integers: Ajv also accepts `0x10`, `1e1`, ` 5` and `Infinity`. */
export function validateStrictly(app: FastifyInstance, storeOrigin: string, money: Money): void {
  let ajv: Ajv | undefined;
  app.setValidatorCompiler<Schema>(({ schema, httpPart }) => {
    let validate: ValidateFunction | undefined;
    const integers = Object.entries(httpPart === 'body' ? {} : (schema.properties ?? {}))
      .filter(([, { type }]) => type === 'integer')
      .map(([name]) => name);
    return (value: Record<string, unknown>) => {
      for (const name of integers) {
        const text = value[name];
        if (typeof text === 'string' && /^\d{1,15}$/.test(text)) value[name] = Number(text);
      }
      ajv ??= createValidator(storeOrigin, money);
      validate ??= ajv.compile(schema);
      const error = faultOf(validate, value);
      return error ? { error } : true;
    };
  });
}

/** Compiles each schema once, for its first response: most routes share those of problems, 300 of 340 in all. */
export function serializeWithSharedSchemas(app: FastifyInstance): void {
  const serializers = new Map<object, (value: unknown) => string>();
  app.setSerializerCompiler<object>(({ schema }) => (value) => {
    const serialize = serializers.get(schema) ?? fastJsonStringify(schema as FastJsonSchema);
    serializers.set(schema, serialize);
    return serialize(value);
  });
}
