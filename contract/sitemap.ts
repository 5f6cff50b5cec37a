import { Type } from 'typebox';
import * as Part from './schema-parts.ts';

export const SitemapParams = Type.Object({
  file: Part.Id('As the index names it: pages.xml, or books-{number}.xml.'),
});
