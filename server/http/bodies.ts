/** How requests are read: their bodies, and the checks of bodies, queries, parameters and headers. */

import { Ajv } from 'ajv';
import type { FastifyInstance } from 'fastify';
import { formats } from '../../contract/field-formats.ts';

/**
 * Validates bodies without coercion, and coerces the other parts, which are text by their nature (queries, headers).
 * @param storeOrigin the store's own origin, for the format of a book's image.
 */
export function validateStrictly(app: FastifyInstance, storeOrigin: string): void {
  const bodies = new Ajv({ allErrors: true });
  const texts = new Ajv({ coerceTypes: true });
  for (const [name, { type, check }] of Object.entries(formats)) {
    const validate = (value: string | number) => check(value, storeOrigin);
    for (const validator of [bodies, texts]) {
      validator.addFormat(name, type === 'number' ? { type, validate } : { type, validate });
    }
  }
  app.setValidatorCompiler(({ schema, httpPart }) => (httpPart === 'body' ? bodies : texts).compile(schema));
}

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
