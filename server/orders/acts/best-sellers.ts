import { Type } from 'typebox';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { BestSeller } from '../../../contract/desk/sales.ts';
import { Day } from '../../../contract/field-formats.ts';
import * as Part from '../../../contract/schema-parts.ts';
import { act } from '../../access/act.ts';
import { listBestSellers as list } from '../sales.ts';
import { figures, headings } from './list-sales.ts';

const uuidLength = 36;

export const listBestSellers = act({
  method: 'GET',
  path: deskPaths.bestSellers,
  operationId: 'listBestSellers',
  summary: 'The books that were sold most',
  description: 'By the number of orders, without withdrawn ones, the most first.',
  scope: 'orders',
  input: {
    query: Type.Object({
      from: Type.Optional(Day('The first day, by default 29 days before the last one.')),
      to: Type.Optional(Day('The last day, by default today.')),
      limit: Part.PageLimit(20),
    }),
  },
  output: Type.Array(BestSeller),
  run: ({ listDb, zone }, { query: { limit = 20, ...days } }) => list(listDb, { limit, ...days }, { zone }),
  commands: {
    'sales best-sellers': {
      limit: 20,
      head: ['id'.padEnd(uuidLength), ...headings, 'title', 'author'],
      line: ({ _id, title, author, orders, revenue }) => [_id, ...figures(orders, revenue), title, author],
      whenEmpty: 'No book was sold in these days.',
    },
  },
});
