import { type Static, Type } from 'typebox';

/** An error in one field of a request. */
export const FieldError = Type.Object(
  {
    field: Type.String({ description: "The field's path, such as price.value." }),
    message: Type.String({ description: 'A sentence for the person who filled in the form.' }),
  },
  { title: 'FieldError' },
);
export type FieldError = Static<typeof FieldError>;

/** An error response: RFC 9457 problem details with a stable code. */
export const ProblemBody = Type.Object(
  {
    type: Type.String({ description: 'A URN that names the kind of problem, as `code` does.' }),
    title: Type.String({ description: 'The same sentence for every problem with this code.' }),
    status: Type.Integer({ description: 'The status of the response.' }),
    code: Type.String({ description: 'Stable: clients match it.' }),
    requestId: Type.String({ description: 'Names the request in the log, as X-Request-Id does.' }),
    detail: Type.Optional(Type.String({ description: 'What the title leaves open.' })),
    errors: Type.Optional(
      Type.Array(FieldError, { description: 'With VALIDATION_FAILED: what is wrong, field by field.' }),
    ),
  },
  { title: 'Problem' },
);
export type ProblemBody = Static<typeof ProblemBody>;
