/** Sets words in the shop's typeface, which lab/fonts makes; fonts.conf keeps those of the machine out. Lengths are in pixels. */

import { join } from 'node:path';
import sharp, { type OverlayOptions } from 'sharp';
import { escapeHtml } from '../http/escape-html.ts';

/** `size`: the largest size of the type; words that do not fit get a smaller one. `isAtEnd`: the words stand at the end of the column. */
export type Words = { text: string; size: number; maxLines: number; isTitle?: boolean; isAtEnd?: boolean };

export type Column = {
  left: number;
  top: number;
  width: number;
  height: number;
  fullHeight?: number;
  isCentred?: boolean;
  isMiddle?: boolean;
  colour: string;
  gap: number;
};

/** The distance of lines, in multiples of the font size: of the font itself, and here. */
const lineHeight = { ofFont: 1.485, here: 1.14 };

/** Texts of characters that the font has: others would show as boxes. lab/fonts/subset.py has the same ranges. */
const isSettable =
  /^[\x20-\x7e\xa0-\u017e\u0192\u01a0\u01a1\u01af\u01b0\u01cd-\u01dc\u01e6\u01e7\u01ea\u01eb\u01fa-\u01ff\u0218-\u021b\u022a-\u022d\u0230-\u0233\u02c6\u02dc\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce\u0401-\u044f\u0451-\u045f\u0490\u0491\u04b0\u04b1\u1e80-\u1e85\u1e9e\u1ea0-\u1ef9\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u2039\u203a\u20ac\u2116\u2122\u2212]*$/;
/** Characters without a shape of their own, such as control characters and those of emoji. */
const formless =
  /[\p{C}\p{Variation_Selector}\p{Emoji_Presentation}\p{Emoji_Modifier}]|(?![©®™])\p{Extended_Pictographic}/gu;
const maxLetters = 120;

/** @returns '' when the font lacks a character of the text: a text without it would be a different text. */
export function settable(text: string): string {
  const start = text.slice(0, 2 * maxLetters).normalize('NFC');
  const letters = start.replace(/\s/g, ' ').replace(formless, '').replace(/ +/g, ' ').trim();
  if (!isSettable.test(letters)) return '';
  if (letters.length <= maxLetters) return letters;
  const cut = letters.slice(0, maxLetters).replace(/(?<=\S) \S*$/, '');
  return `${cut.replace(/[ \p{P}]+$/u, '')}…`;
}

/** A character without width, as high as a line. A picture of text ends where its ink does; with this character all lines have one height. */
const strut = '\ue000';

async function pictureOf({ text, size, maxLines }: Words, column: Column) {
  const width = Math.floor(column.width);
  const height = Math.floor(Math.min(column.height, ((maxLines - 1) * lineHeight.here + 1.7) * size));
  const words = {
    text: `<span size="${Math.round(size * 1024)}" line_height="${lineHeight.here / lineHeight.ofFont}" foreground="${column.colour}">${strut}${escapeHtml(text)}${strut}</span>`,
    font: 'Literata',
    fontfile: join(import.meta.dirname, 'literata.ttf'),
    rgba: true,
    width,
    align: column.isCentred ? ('centre' as const) : ('left' as const),
    // No name has a longer word: such a word breaks at the end of the line.
    wrap: /\S{30}/.test(text) ? ('word-char' as const) : ('word' as const),
  };
  const draw = (room: { dpi: number } | { height: number }) =>
    sharp({ text: { ...words, ...room } })
      .png()
      .toBuffer({ resolveWithObject: true });
  const { data, info } = await draw({ dpi: 72 });
  return info.width <= width && info.height <= height ? { data, info } : await draw({ height });
}

/** @returns the words below each other, for `composite`, without empty texts; nothing when the font lacks a character of the title. */
export async function setColumn(column: Column, words: readonly Words[]): Promise<OverlayOptions[]> {
  const { left, top, width, height, fullHeight = height, isCentred = false, isMiddle, gap } = column;
  const all = words.map((one) => ({ ...one, text: settable(one.text) }));
  const [others, title] = [all.filter((one) => !one.isTitle), all.filter((one) => one.isTitle)];
  if (title.some(({ text }) => text === '')) return [];
  const pictures = new Map<Words, Awaited<ReturnType<typeof pictureOf>>>();
  let free = height;
  // The title is set last, in the room that the other words leave.
  for (const one of [...others, ...title]) {
    if (one.text === '') continue;
    const picture = await pictureOf(one, { ...column, height: free });
    pictures.set(one, picture);
    free -= picture.info.height + gap;
  }
  let y = top + (isMiddle ? (free + gap) / 2 : 0);
  return all.flatMap((one) => {
    const { data: input, info } = pictures.get(one) ?? {};
    if (!info) return [];
    const x = left + (isCentred ? (width - info.width) / 2 : 0);
    const at = one.isAtEnd ? top + fullHeight - info.height : y;
    y += info.height + gap;
    return [{ input, left: Math.round(x), top: Math.round(at) }];
  });
}
