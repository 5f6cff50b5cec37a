import { type Static, Type } from 'typebox';

/** An error in one field of a request. */
export const FieldError = Type.Object(
  {
    field: Type.String({ description: "The field's path, such as price.value." }),
    message: Type.String(),
  },
  { title: 'FieldError' },
);
export type FieldError = Static<typeof FieldError>;

/** An error response: RFC 9457 problem details with a stable code. */
export const ProblemBody = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    code: Type.String({ description: 'Stable: clients match it.' }),
    requestId: Type.String({ description: 'Names the request in the log, as X-Request-Id does.' }),
    detail: Type.Optional(Type.String()),
    errors: Type.Optional(Type.Array(FieldError)),
  },
  { title: 'Problem' },
);
export type ProblemBody = Static<typeof ProblemBody>;
