import { type Static, Type } from 'typebox';
import * as Part from './schema-parts.ts';

export const FieldError = Part.Named('FieldError', {
  field: Part.Text("The field's path, such as price.value."),
  message: Part.Text('A sentence for the person who filled in the form.'),
});
export type FieldError = Static<typeof FieldError>;

/** Problem details of RFC 9457. */
export const ProblemBody = Part.Named('Problem', {
  type: Part.Text('A URN that names the kind of problem, as `code` does.'),
  title: Part.Text('The same sentence for every problem with this code.'),
  status: Part.Count('The status of the response.'),
  code: Part.Text('Stable: clients match it.'),
  requestId: Part.Text('Names the request in the log, as X-Request-Id does.'),
  detail: Type.Optional(Part.Text('What the title leaves open.')),
  errors: Type.Optional(
    Type.Array(FieldError, { description: 'With VALIDATION_FAILED: what is wrong, field by field.' }),
  ),
});
export type ProblemBody = Static<typeof ProblemBody>;
