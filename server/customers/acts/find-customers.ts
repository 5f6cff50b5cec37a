import { Type } from 'typebox';
import { counted } from '../../../contract/counted.ts';
import { DeskCustomer } from '../../../contract/desk/customers.ts';
import { minCustomerSearch } from '../../../contract/desk/limits.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import * as Part from '../../../contract/schema-parts.ts';
import { act } from '../../access/act.ts';
import { fieldProblem } from '../../http/problems.ts';
import { findCustomers as find, findSimilarCustomers, listCustomers } from '../customers.ts';

const Sought = (description: string) =>
  Type.Optional(Type.String({ format: 'term', minLength: minCustomerSearch, maxLength: 320, description }));

/** No script's token admits to the acts on customers: they are about persons. */
export const findCustomers = act({
  method: 'GET',
  path: deskPaths.customers,
  operationId: 'findCustomers',
  summary:
    'Finds customers by their e-mail or name: at most 50, in the order of the e-mails; or the newest or best ten',
  input: {
    query: Type.Object({
      q: Sought(
        'The beginning of an e-mail, of a name or of its last word, at least three characters, or an id. The case of ASCII letters is ignored.',
      ),
      email: Sought('Another name of `q`.'),
      spelling: Part.SimilarSpelling('of names alone, among the 20,000 customers who came last'),
      sort: Type.Optional(
        Type.Enum(['newest', 'best'], {
          description: 'In place of a search: the ten customers who came last, or who paid most.',
        }),
      ),
    }),
  },
  output: Type.Array(DeskCustomer),
  async run({ listDb }, { query: { q, email = q, sort, spelling } }) {
    if (email === undefined && sort !== undefined) return await listCustomers(listDb, sort);
    if (email === undefined) throw fieldProblem('q', 'Required.');
    return await (spelling === 'similar' ? findSimilarCustomers : find)(listDb, email);
  },
  commands: {
    'customers find': {
      purpose:
        'Finds the customers whose e-mail, name or last name begins with EMAIL, at most 50, or the one with this id.',
      operands: { EMAIL: 'q' },
      hides: ['email', 'sort'],
      line: ({ _id, email, name, createdAt, isBlocked, orders, revenue }, { format }) => {
        const state = isBlocked ? 'blocked' : `since ${createdAt.slice(0, 10)}`;
        return [_id, email, name, state, counted(orders, 'order'), format(revenue)];
      },
      whenEmpty: 'No customer has an e-mail or a name that begins so.',
    },
  },
});
