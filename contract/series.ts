/** The series of a book, and its number in it: a number such as `1` or `1.5`, or another text, such as `1-3` for a box set. */

type Volume = { series?: string | null | undefined; seriesNumber?: string | null | undefined };

export const maxSeriesLength = { series: 200, seriesNumber: 20 } as const;

const lastBracket = /\(([^()]*)\)\s*$/;
const volumeInBracket = /^([^#]*)#([^#;]*)(?:;|$)/;

/**
 * @returns the series at the end of a title, as in `Bayou Moon (The Edge, #2)`. No pattern has two parts that match the same blanks: a title
 * with hundreds of them would take a minute.
 */
export function seriesIn(title: string): { series: string; seriesNumber: string } | undefined {
  const [, bracket = ''] = lastBracket.exec(title) ?? [];
  const [, before = '', after = ''] = volumeInBracket.exec(bracket) ?? [];
  const series = before.trim().replace(/,$/, '').trim();
  const seriesNumber = after.trim();
  const fits = (text: string, maxLength: number) => text !== '' && text.length <= maxLength;
  const isVolume = fits(series, maxSeriesLength.series) && fits(seriesNumber, maxSeriesLength.seriesNumber);
  return isVolume ? { series, seriesNumber } : undefined;
}

const isPlain = (number: string): boolean => /^\d+(?:\.\d+)?$/.test(number);

/** @returns the title without the series in brackets at its end. */
export const withoutSeries = (title: string): string =>
  (seriesIn(title) && title.replace(lastBracket, '').trim()) || title;

/** @returns the number in a series with its word, such as `book 2` or `books 1-3`. */
export const numberText = (number: string, word = 'book'): string =>
  /^\d/.test(number) ? `${word}${isPlain(number) || /\p{L}/u.test(number) ? '' : 's'} ${number}` : number;

/** @returns the series with the number, such as `The Edge, book 2`; empty for none. */
export const volumeText = ({ series, seriesNumber }: Volume): string =>
  [series, series && seriesNumber && numberText(seriesNumber)].filter(Boolean).join(', ');

/** The order in a series: numbers by their value, then other texts, then books without one. */
export function compareVolumes(one: Volume, other: Volume): number {
  const [first, second] = [one.seriesNumber ?? '', other.seriesNumber ?? ''];
  const placeOf = (number: string) => (isPlain(number) ? 0 : number === '' ? 2 : 1);
  const sizeOf = (number: string) => Number.parseFloat(number) || 0;
  return placeOf(first) - placeOf(second) || sizeOf(first) - sizeOf(second);
}
