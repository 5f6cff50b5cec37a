import { Type } from 'typebox';
import { Term } from './field-formats.ts';

/** The file name in the address of a sitemap. */
export const SitemapParams = Type.Object(
  { file: Term({ maxLength: 64, description: 'As the index names it: pages.xml, or books-{number}.xml.' }) },
  { examples: [{ file: 'pages.xml' }] },
);
