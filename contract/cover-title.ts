type CoverWords = {
  title: string;
  /** The series and the number in it, such as "The Edge, 2"; empty for none. */
  series: string;
  /** The subtitle; empty if there is a series. */
  subtitle: string;
  author: string;
};

const inBrackets = /^(.+?)\s*\((.+)\)$/;
const subtitled = /^(.+?)(?:\s*[:;]\s+|[：；]|\s+[–—]\s+|,\s+(?=or,?\s))(.+)$/;

export type TitledBook = Readonly<
  { title: string; author: string } & Partial<Record<'series' | 'seriesNumber', string | null | undefined>>
>;

/** Splits a title such as "Bayou Moon (The Edge, #2)" or "Moby-Dick; or, The Whale". Brackets win over the book's own series. */
export function coverWords(book: TitledBook): CoverWords {
  const [, before = book.title, brackets = ''] = inBrackets.exec(book.title) ?? [];
  const [, title = before, subtitle = ''] = subtitled.exec(before) ?? [];
  const ofBook = [book.series, book.seriesNumber].filter(Boolean).join(', ');
  const series = brackets.replace(/;.*/, '').replace(/,?\s*#/, ', ') || ofBook;
  const author = book.author.length > 26 ? book.author.replace(/[,;].*/, '') : book.author;
  return { title, series, subtitle: series ? '' : subtitle, author };
}

export const initialOf = (title: string): string | undefined =>
  /^(?:the |an? )?.*?([\p{L}\p{N}])/iu.exec(title)?.[1]?.toUpperCase();

const eastAsian = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}]/u;

/** In a vertical column, letters of East Asia are upright; all other text is on its side. */
export const isUpright = (text: string): boolean => eastAsian.test(text);

/** Vietnamese, and scripts from Hebrew to Tibetan and Khmer, need taller lines: two marks may be above each other. */
const tallLetters = /[\u0590-\u1cff\u1ea0-\u1eff]/;

/** All lengths here are in hundredths of the cover's width. */
export const titleSizes = [17, 13.5, 10.5, 8, 6] as const;

/** @param mayBeVertical true if a title of only Chinese or Japanese letters is set in columns. @returns the index of the largest size that fits. */
export function setTitle(
  { title, series, subtitle, author }: CoverWords,
  { width, height }: { width: number; height: number },
  mayBeVertical: boolean,
) {
  const isTall = tallLetters.test(title);
  const isVertical = mayBeVertical && /^[\u2e80-\u9fff]{2,}$/.test(title);
  // Series, subtitle and author take one or two lines each, with the gap before the next.
  const small = Math.min(2, Math.ceil(((series || subtitle).length * 3) / width));
  const others = 11 + (author.length * 3.4 > width ? 9.5 : 0) + small * 8 + (small && 1.5);
  const [length, room] = isVertical ? [height - 8, width - 12] : [width, height - others];
  // A line breaks after a hyphen, and after each letter of Chinese, Japanese and Korean, which is about as wide as two others.
  const words = title
    .replace(/[mw]/gi, 'mm')
    .replace(/[\u1100-\u11ff\u2e80-\ud7af\uf900-\ufaff\uff00-\uffef]/g, 'x-')
    .replace(/-/g, '- ')
    .split(/\s+/);
  const size = titleSizes.findIndex((size) => {
    const letters = length / size / 0.57;
    let [lines, filled] = [1, 0];
    for (const word of words) {
      if (word.length > letters) return false;
      if (filled + word.length > letters) [lines, filled] = [lines + 1, 0];
      filled += word.length + (word.endsWith('-') ? 0 : 1);
    }
    return (isTall ? lines * 1.5 : lines * 1.14 + 0.36) * size <= room;
  });
  return { size: size < 0 ? titleSizes.length - 1 : size, isVertical, isTall };
}
