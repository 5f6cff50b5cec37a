/**
 * Sets words in the shop's typeface, for drawings: sharp's Pango makes them a picture. The font is a file of the store, as those of a
 * machine differ, and fonts.conf keeps them out. lab/fonts makes it.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type OverlayOptions } from 'sharp';

/** Lengths here are in pixels. */
export type Words = {
  text: string;
  /** The size is the largest one at which the words fit. At the smallest they are cut. */
  sizes: readonly [number, ...number[]];
  maxLines: number;
  /** The words stand at the end of the column, and not after the words before. */
  isAtEnd?: boolean;
};

/** Words below each other. */
export type Column = {
  left: number;
  top: number;
  width: number;
  height: number;
  /** The height with the words at its end, where there is more room for these. */
  fullHeight?: number;
  isCentred?: boolean;
  isMiddle?: boolean;
  colour: string;
  gap: number;
  /** Words that are '' are left out. */
  above?: Words;
  title: Words;
  below: readonly Words[];
};

const fontFile = join(import.meta.dirname, 'literata.ttf');
/** The distance of lines, in sizes of the type: for the font, and here. */
const lineHeight = { ofFont: 1.485, here: 1.14 };

let known: ReadonlySet<number> | undefined;

/** @returns the characters of a font file, whose `cmap` has a table of format 4 (OpenType, "cmap"). */
function charactersOf(font: Buffer): ReadonlySet<number> {
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, index) => 12 + index * 16);
  const record = tables.find((at) => font.toString('latin1', at, at + 4) === 'cmap') ?? 0;
  const cmap = font.readUInt32BE(record + 8);
  const subtables = Array.from({ length: font.readUInt16BE(cmap + 2) }, (_, index) => cmap + 4 + index * 8);
  const table = subtables
    .map((at) => cmap + font.readUInt32BE(at + 4))
    .find((at) => font.readUInt16BE(at) === 4);
  if (table === undefined) throw new Error('the font has no table of characters in format 4');
  const ends = table + 14;
  const size = font.readUInt16BE(table + 6);
  const characters = new Set<number>();
  for (let at = 0; at < size; at += 2) {
    const [first, last] = [font.readUInt16BE(ends + size + 2 + at), font.readUInt16BE(ends + at)];
    // The last segment is U+FFFF alone, which is no character.
    for (let code = first; code <= last && code < 0xffff; code += 1) characters.add(code);
  }
  return characters;
}

/** Characters without a form of their own, such as control characters, and those of emoji. */
const formless = /[\p{C}\p{Variation_Selector}]/gu;
const pictographs = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]/gu;

/** No drawing has room for more. A line that is wider than 32,767 pixels cannot be measured. */
const maxLetters = 240;

/** @returns the text as it is set; '' when the font lacks one of its characters: without it, it would be another text. */
function settable(text: string): string {
  known ??= charactersOf(readFileSync(fontFile));
  const characters = known;
  const hasLetter = (letter: string) => characters.has(letter.codePointAt(0) ?? 0);
  const letters = text
    .slice(0, maxLetters)
    .normalize('NFC')
    .replace(/\s/g, ' ')
    .replace(formless, '')
    .replace(pictographs, (sign) => (hasLetter(sign) ? sign : ''))
    .replace(/ +/g, ' ')
    .trim();
  return [...letters].every(hasLetter) ? letters : '';
}

/**
 * A character of the font without width or ink, from the top of a line to its bottom: a picture of text ends where its ink does, and
 * lines with it all have the same height.
 */
const strut = '\ue000';

/** @returns the text without its last letters, and without the rest of their word. */
const shorten = (text: string, removed: number): string => {
  if (removed === 0) return text;
  const start = text.slice(0, -removed).replace(/(?<=\S) \S*$/, '');
  return `${start.replace(/[ \p{P}]+$/u, '')}…`;
};

/** Pango's markup is XML. */
const escapeMarkup = (text: string): string =>
  text.replace(/[<>&]/g, (character) => `&#${character.charCodeAt(0)};`);

type Style = { size: number; width: number; colour: string; isCentred: boolean };

const pictureOf = (
  text: string,
  { size, width, colour, isCentred }: Style,
  wrap: 'word' | 'word-char' = 'word',
) => ({
  text: {
    text: `<span size="${Math.round(size * 1024)}" line_height="${lineHeight.here / lineHeight.ofFont}" letter_spacing="${Math.round(size * -8)}" foreground="${colour}">${strut}${escapeMarkup(text)}${strut}</span>`,
    font: 'Literata',
    fontfile: fontFile,
    width: Math.floor(width),
    align: isCentred ? ('centre' as const) : ('left' as const),
    dpi: 72,
    rgba: true,
    wrap,
  },
});
type Picture = ReturnType<typeof pictureOf>;
type SetWords = { input: Picture; width: number; height: number };

async function measure(input: Picture): Promise<SetWords> {
  const { width, height } = await sharp(input).metadata();
  return { input, width, height };
}

/** @returns the smallest of the numbers from `low` that is good; `high` is. */
async function smallest(low: number, high: number, isGood: (number: number) => Promise<boolean>) {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (await isGood(middle)) to = middle;
    else from = middle + 1;
  }
  return to;
}

/** @returns the words as large as they fit, in lines of about the same length. */
async function setWords(text: string, words: Words, room: Omit<Style, 'size'> & { height: number }) {
  const isFit = (set: SetWords, size: number) =>
    set.width <= room.width &&
    set.height <= Math.min(room.height, ((words.maxLines - 1) * lineHeight.here + 1.7) * size);
  for (const size of words.sizes) {
    const style = { ...room, size };
    const set = await measure(pictureOf(text, style));
    if (!isFit(set, size)) continue;
    const width = await smallest(Math.ceil(room.width / 3), Math.floor(room.width), async (width) => {
      const narrow = await measure(pictureOf(text, { ...style, width }));
      return narrow.width <= width && narrow.height < set.height + size / 2;
    });
    return await measure(pictureOf(text, { ...style, width }));
  }
  const style = { ...room, size: Math.min(...words.sizes) };
  const cut = (removed: number) => measure(pictureOf(shorten(text, removed), style, 'word-char'));
  return await cut(
    await smallest(0, text.length - 1, async (removed) => isFit(await cut(removed), style.size)),
  );
}

/** @returns the words for `composite`; none when the font lacks a character of the title. */
export async function setColumn(column: Column): Promise<OverlayOptions[]> {
  const { left, top, width, height, fullHeight = height, isCentred = false, isMiddle, colour, gap } = column;
  const { above, title, below } = column;
  if (!settable(title.text)) return [];
  const set = new Map<Words, SetWords>();
  let free = height;
  // The title comes last: it has the room that the others leave.
  for (const words of [...(above ? [above] : []), ...below, title]) {
    const text = settable(words.text);
    if (!text) continue;
    const pieces = await setWords(text, words, { width, height: free, colour, isCentred });
    set.set(words, pieces);
    free -= pieces.height + gap;
  }
  let y = top + (isMiddle ? (free + gap) / 2 : 0);
  return [...(above ? [above] : []), title, ...below].flatMap((words) => {
    const pieces = set.get(words);
    if (!pieces) return [];
    const x = left + (isCentred ? (width - pieces.width) / 2 : 0);
    const at = words.isAtEnd ? top + fullHeight - pieces.height : y;
    y += pieces.height + gap;
    return [{ input: pieces.input, left: Math.round(x), top: Math.round(at) }];
  });
}
