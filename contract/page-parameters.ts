/** The query parameters of every list, see next-page.ts. */

import { Type } from 'typebox';
import { Term } from './field-formats.ts';
import { maxPageSize } from './next-page.ts';

/** How many items a page has. @param normal without the parameter. */
export const PageLimit = (normal: number = maxPageSize) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxPageSize,
      default: normal,
      description: 'How many items a page has at most.',
    }),
  );

/** The beginning of a page. @param maxLength in characters. */
export const PageCursor = (maxLength: number) =>
  Type.Optional(Term({ maxLength, description: 'From the Link header of the previous page.' }));

/** The parameter of a search that found nothing. @param bounds what it looks at. */
export const SimilarSpelling = (bounds: string) =>
  Type.Optional(
    Type.Enum(['similar'], {
      description: `\`similar\`: finds words with a typo, joined or parted ones too; ${bounds}.`,
    }),
  );
