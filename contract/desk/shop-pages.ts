import { type Static, Type } from 'typebox';
import * as Part from '../schema-parts.ts';

/** The size in bytes of UTF-8. */
export const maxPageBytes = 100 * 1024;

const slug = Part.Text('The end of its address, /pages/{slug}.');
const title = Part.Text('Its first heading.');
const version = Part.Count('Of its text: each change has a higher one.');
const at = Part.Time('When it got this text.');

export const ShopPage = Part.Named(
  'ShopPage',
  { slug, title, version, at },
  { slug: 'imprint', title: 'Imprint', version: 3, at: '2026-11-21T14:05:09.120Z' },
);
export type ShopPage = Static<typeof ShopPage>;

export const ShopPageWithHistory = Part.Named('ShopPageWithHistory', {
  ...ShopPage.properties,
  markdown: Type.String(),
  history: Type.Array(
    Type.Object({ version, title, at, isRemoved: Part.Flag('The page was removed then.') }),
    { description: 'The earlier versions, newest first: at most 100.' },
  ),
});
export type ShopPageWithHistory = Static<typeof ShopPageWithHistory>;

export const ShopPagesQuery = Type.Object({
  state: Part.Choice(['shown', 'removed'], 'Which pages.'),
});

export const ShopPageParams = Type.Object({
  id: Type.String({
    pattern: '^[a-z0-9-]{1,60}$',
    description: 'The page’s slug: small letters, digits and hyphens.',
  }),
});

const Markdown = Type.String({
  format: 'lines',
  maxLength: maxPageBytes,
  description:
    'CommonMark with tables, at most 100 KB. The first heading is the title. HTML stands there as text, links lead to http, https and mailto.',
});

export const ShopPageText = Part.Named(
  'ShopPageText',
  {
    markdown: Type.Optional(Markdown),
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Instead: the version to go back to; that of a removal has the text before it.',
      }),
    ),
  },
  { markdown: '# Imprint\n\nHartfield Books, Highbury' },
);

export const ShopPageDraft = Part.Named('ShopPageDraft', { markdown: Markdown }, { markdown: '# Imprint' });

export const ShopPagePreview = Part.Named('ShopPagePreview', {
  html: Part.Text('The page as its readers see it, with a title of the third level.'),
  fault: Part.Nullable('Why the text cannot be a page.'),
});
export type ShopPagePreview = Static<typeof ShopPagePreview>;
