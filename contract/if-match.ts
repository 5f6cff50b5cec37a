import { Type } from 'typebox';

/** The request headers of a call that changes a book: another editor may be changing it at the same time. */
export const IfMatchHeaders = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$',
      description: 'The ETag of the version that the change is based on, or `*` for whichever is there.',
    }),
  ),
});
