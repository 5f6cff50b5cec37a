import { Type } from 'typebox';

/** The request headers of a call that makes something, once per key, however often a client sends it. */
export const IdempotencyHeaders = Type.Object(
  {
    'idempotency-key': Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        pattern: '^[\\x21-\\x7e]+$',
        description:
          'A request with a key that this account used before returns what the first one made, and makes nothing.',
      }),
    ),
  },
  { examples: [{ 'idempotency-key': 'b7f3c2a0-1d5e-4f6a-8c9b-0e1d2c3b4a59' }] },
);
