import { Type } from 'typebox';

/** The request headers of a call that makes something, once per key, however often a client sends it. */
export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[\\x21-\\x7e]+$',
      description:
        'A request with a key that this account used before returns what the first one made, and makes nothing.',
    }),
  ),
});
