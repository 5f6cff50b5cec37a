/** Some unseen characters have a meaning: joiners shape letters and emoji, marks of direction order titles. A text loses them at its ends alone. */

/** Soft hyphens, marks of direction, embeddings and isolates, byte order marks, fillers of Hangul, the blank of Braille, and others. */
const unseen =
  '\\u00AD\\u034F\\u061C\\u115F\\u1160\\u180E\\u200B\\u200E\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFEFF\\uFFA0';
const joiners = '\\u200C\\u200D';

const isUnseen = new RegExp(`[\\s${unseen}]`);
const isJoiner = new RegExp(`[${joiners}]`);
/** Characters whose shape depends on the joiner after them. */
const takesJoiner = /[\p{M}\p{Script=Arabic}]/u;
const allUnseen = new RegExp(`[${unseen}${joiners}]`, 'g');

export const seenPattern = `[^\\s${unseen}${joiners}]`;

/** Tidies a line. It uses a loop, because a pattern would take long for a row of blanks. */
export function tidyText(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && (isUnseen.test(text.charAt(start)) || isJoiner.test(text.charAt(start)))) start += 1;
  while (
    start < end &&
    (isUnseen.test(text.charAt(end - 1)) ||
      (isJoiner.test(text.charAt(end - 1)) && !takesJoiner.test(text.charAt(end - 2))))
  ) {
    end -= 1;
  }
  return text.slice(start, end);
}

export const tidyLines = (text: string): string =>
  text
    .split(/\r\n?|\n/)
    .map(tidyText)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

export const withoutUnseen = (text: string): string => text.replace(allUnseen, '').trim();

const quotes = /^=?["“”„'‘’](.*)["“”'’]$/s;

/** Tidies digits or an address. It also removes what spreadsheets add to keep a number as text, as in `="9780141439587"` and `'0141439580`. */
export function tidyValue(text: string): string {
  const seen = withoutUnseen(text);
  return (quotes.exec(seen)?.[1] ?? seen.replace(/^=?['‘’]?/, '')).trim();
}

/** @returns the text of a formula such as `="Emma"`; undefined for another cell. */
export const textOfFormula = (cell: string): string | undefined =>
  /^="(.*)"$/s.exec(tidyText(cell))?.[1]?.replaceAll('""', '"');
