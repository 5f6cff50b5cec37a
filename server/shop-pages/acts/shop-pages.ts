import { Type } from 'typebox';
import { deskPaths } from '../../../contract/desk/paths.ts';
import {
  maxPageBytes,
  ShopPage,
  ShopPageDraft,
  ShopPageParams,
  ShopPagePreview,
  ShopPagesQuery,
  ShopPageText,
  ShopPageWithHistory,
} from '../../../contract/desk/shop-pages.ts';
import { tidyText } from '../../../contract/pasted-text.ts';
import { act } from '../../access/act.ts';
import { fieldProblem } from '../../http/problems.ts';
import { renderPage } from '../markdown.ts';
import * as pages from '../shop-pages.ts';

/** JSON may write a byte of text in six. */
const bodyLimit = 6 * maxPageBytes + 1_000;

const linesOf = (pages: readonly ShopPage[]): string =>
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
  input: { params: ShopPageParams },
  output: ShopPageWithHistory,
  problems: ['PAGE_NOT_FOUND'],
  run: ({ listDb }, { params }) => pages.findPageWithHistory(listDb, params.id),
});

export const setPage = act({
  method: 'POST',
  path: deskPaths.page,
  operationId: 'setPage',
  summary: 'Adds a page of the shop, changes its text, or goes back to an earlier one',
  description: 'The earlier texts are kept. The response has all pages.',
  limit: 'catalogue-changes',
  input: { params: ShopPageParams, body: ShopPageText },
  output: Type.Array(ShopPage),
  problems: ['PAGE_NOT_FOUND', 'TOO_MANY_PAGES'],
  bodyLimit,
  async run({ db, actor, onShelfChanged }, { params: { id }, body: { markdown, version } }) {
    const text = version === undefined ? markdown : await pages.findVersion(db, id, version);
    if (text === undefined) throw fieldProblem('markdown', 'Must not be empty.');
    await pages.setPage(db, id, tidyText(text).replace(/\r\n?/g, '\n'), actor);
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
      report: linesOf,
    },
  },
});

export const removePage = act({
  method: 'POST',
  path: deskPaths.pageRemove,
  operationId: 'removePage',
  summary: 'Removes a page of the shop',
  description: 'Its texts are kept. The response has the other pages.',
  limit: 'catalogue-changes',
  input: { params: ShopPageParams },
  output: Type.Array(ShopPage),
  problems: ['PAGE_NOT_FOUND'],
  async run({ db, actor, onShelfChanged }, { params: { id } }) {
    await pages.removePage(db, id, actor);
    onShelfChanged();
    return await pages.listPages(db);
  },
  commands: {
    'pages remove': { operands: { SLUG: 'id' }, json: (left) => left, report: linesOf },
  },
});

export const previewPage = act({
  method: 'POST',
  path: deskPaths.pagePreview,
  operationId: 'previewPage',
  summary: 'Shows a text as a page of the shop, without storing it',
  input: { body: ShopPageDraft },
  output: ShopPagePreview,
  bodyLimit,
  async run(_shop, { body: { markdown } }) {
    const page = renderPage(markdown, 3);
    // A link that is tried opens beside the text that is being written.
    const html = page.html.replaceAll('<a href', '<a target="_blank" href');
    return { html, fault: pages.faultOf(markdown, page) ?? null };
  },
});
