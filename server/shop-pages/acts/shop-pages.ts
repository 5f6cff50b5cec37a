import { Type } from 'typebox';
import { deskPaths } from '../../../contract/desk/paths.ts';
import {
  maxPageBytes,
  ShopPage,
  ShopPageChange,
  ShopPagesQuery,
  ShopPageWithHistory,
} from '../../../contract/desk/shop-pages.ts';
import * as Part from '../../../contract/schema-parts.ts';
import { act } from '../../access/act.ts';
import * as pages from '../shop-pages.ts';

const params = Part.SlugParams('The page’s slug');

const reportOf = (pages: readonly ShopPage[]): string =>
  pages.length === 0
    ? 'The shop has no pages now.'
    : `The shop’s pages now: ${pages.map(({ slug }) => slug).join(', ')}.`;

export const listPages = act({
  method: 'GET',
  path: deskPaths.pages,
  operationId: 'listPages',
  summary: 'Lists the pages of the shop that the owner writes, such as its imprint',
  input: { query: ShopPagesQuery },
  output: Type.Array(ShopPage),
  run: ({ listDb }, { query: { state } }) => pages.listPages(listDb, state === 'removed'),
  commands: {
    'pages list': {
      hides: ['state'],
      line: ({ slug, at, title }) => [slug, at, title],
      whenEmpty: 'The shop has no pages.',
    },
  },
});

export const findPage = act({
  method: 'GET',
  path: deskPaths.page,
  operationId: 'findPage',
  summary: 'Finds a page of the shop, with its text and its earlier versions',
  input: { params },
  output: ShopPageWithHistory,
  problems: ['PAGE_NOT_FOUND'],
  run: ({ listDb }, { params: { id } }) => pages.findPageWithHistory(listDb, id),
});

export const changePage = act({
  method: 'POST',
  path: deskPaths.page,
  operationId: 'changePage',
  summary: 'Adds a page of the shop, changes its text, goes back to an earlier one, or removes the page',
  description: 'All texts are kept. The response has the pages that the shop has then.',
  limit: 'catalogue-changes',
  input: { params, body: ShopPageChange },
  output: Type.Array(ShopPage),
  problems: ['PAGE_NOT_FOUND', 'TOO_MANY_PAGES'],
  // JSON may write a byte of text in six.
  bodyLimit: 6 * maxPageBytes + 1_000,
  async run({ db, actor, onShelfChanged }, { params: { id }, body }) {
    await pages.changePage(db, id, body, actor);
    onShelfChanged();
    return await pages.listPages(db);
  },
  commands: {
    'pages set': {
      purpose:
        'Adds a page of the shop, or changes its text, which is Markdown and begins with the title as a heading.',
      operands: { SLUG: 'id', FILE: 'markdown' },
      reads: { member: 'markdown', as: 'utf8' },
      hides: ['version'],
      report: reportOf,
    },
    'pages remove': {
      purpose: 'Removes a page of the shop. Its texts are kept.',
      operands: { SLUG: 'id' },
      given: () => ({ isRemoved: true }),
      hides: ['markdown', 'version'],
      report: reportOf,
    },
  },
});
