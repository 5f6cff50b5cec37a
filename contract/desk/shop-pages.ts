import { type Static, Type } from 'typebox';
import * as Part from '../schema-parts.ts';

/** The size in bytes of UTF-8. */
export const maxPageBytes = 100 * 1024;

export const ShopPage = Part.Named(
  'ShopPage',
  {
    slug: Part.Text('The end of its address, /pages/{slug}.'),
    title: Part.Text('Its first heading.'),
    version: Part.Count('The version of its text: each change has a higher one.'),
    at: Part.Time('When it got this text, or was removed.'),
  },
  { slug: 'imprint', title: 'Imprint', version: 3, at: '2026-11-21T14:05:09.120Z' },
);
export type ShopPage = Static<typeof ShopPage>;

export const ShopPageWithHistory = Part.Named('ShopPageWithHistory', {
  ...ShopPage.properties,
  markdown: Type.String(),
  history: Type.Array(ShopPage, { description: 'Its earlier texts, newest first: at most 100.' }),
});
export type ShopPageWithHistory = Static<typeof ShopPageWithHistory>;

export const ShopPagesQuery = Type.Object({
  state: Part.Choice(['shown', 'removed'], 'Which pages.'),
});

export const ShopPageChange = Type.Object(
  {
    markdown: Type.Optional(
      Type.String({
        format: 'lines',
        maxLength: maxPageBytes,
        description:
          'CommonMark with tables, at most 100 KB. The first heading is the title. HTML stands there as text, links lead to http, https, mailto and, from a /, the shop.',
      }),
    ),
    version: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Goes back to the text of this version.' }),
    ),
    isRemoved: Part.TrueOrMissing('Removes the page. Its texts are kept.'),
  },
  {
    ...{ title: 'ShopPageChange', minProperties: 1, maxProperties: 1 },
    examples: [{ markdown: '# Imprint\n\nHartfield Books, Highbury' }],
  },
);
export type ShopPageChange = Static<typeof ShopPageChange>;
