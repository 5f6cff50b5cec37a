import { type TProperties, Type } from 'typebox';
import { Term } from './field-formats.ts';
import { maxPageSize } from './next-page.ts';

/** An object that `/openapi.json` lists once, by its title. @param example for the calls of the shop. */
export const Named = <Of extends TProperties>(title: string, properties: Of, example?: object) =>
  Type.Object(properties, { title, ...(example && { examples: [example] }) });

export const Text = (description: string) => Type.String({ description });
export const Nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
export const Time = (description: string) => Text(`${description} ISO 8601, UTC.`);
export const NullableTime = (description: string) => Type.Union([Time(description), Type.Null()]);
export const Count = (description: string) => Type.Integer({ description });
export const Money = (description: string) => Type.Number({ description: `${description}, two decimals.` });
export const Flag = (description: string) => Type.Boolean({ description });
export const TrueOrMissing = (description: string) => Type.Optional(Type.Literal(true, { description }));
export const Id = (description: string) => Term({ maxLength: 64, description });
export const SlugParams = (what: string) =>
  Type.Object({
    id: Type.String({
      pattern: '^[a-z0-9-]{1,60}$',
      description: `${what}: small letters, digits and hyphens.`,
    }),
  });
export const MaybeWords = (maxLength: number, description: string, format?: 'term' | 'lines') =>
  Type.Optional(Type.String({ maxLength, ...(format && { format }), description }));
export const Choice = <const Words extends string[]>(words: readonly [...Words], description: string) =>
  Type.Optional(Type.Enum(words, { default: words[0], description }));

/** The parameters of a list, see next-page.ts. @param normal the limit without the parameter. */
export const PageLimit = (normal: number = maxPageSize) => {
  const description = 'How many items a page has at most.';
  return Type.Optional(Type.Integer({ minimum: 1, maximum: maxPageSize, default: normal, description }));
};
const fromLink = 'From the Link header of the previous page.';
export const PageCursor = (maxLength: number) => Type.Optional(Term({ maxLength, description: fromLink }));
/** A cursor has no format, because the store itself has written it. */
export const LongCursor = (maxLength: number) => MaybeWords(maxLength, fromLink);
export const NumberCursor = () => Type.Optional(Type.Integer({ minimum: 1, description: fromLink }));

/** The parameter of a search that found nothing. @param bounds what the search looks at. */
export const SimilarSpelling = (bounds: string) =>
  Type.Optional(
    Type.Enum(['similar'], {
      description: `\`similar\`: finds words with a typo, joined or parted ones too; ${bounds}.`,
    }),
  );
