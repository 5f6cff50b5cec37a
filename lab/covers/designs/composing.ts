/** Typesetting: breaks a text into lines of similar length, fits them to their space, and draws them as one path. */
import { capHeight, castLine, type FaceName, faceFor, imprint, type Line, printLine } from './type-case.ts';

/** Lines of one size; `height` is from the top of the capitals in the first line to the baseline of the last. */
export type Block = {
  lines: readonly Line[];
  size: number;
  leading: number;
  height: number;
  /** The height of accents above the capitals of the first line. */
  over: number;
  /** The depth of letters below the last baseline. */
  under: number;
};

/** The typeface of a text, and the space for it. */
export type Measure = {
  face: FaceName;
  width: number;
  height: number;
  maxSize: number;
  /** Baseline to baseline, in ems. It grows where accents would touch the line above. */
  leading?: number;
  tracking?: number;
  maxLines?: number;
};

type Word = { text: string; spaced: boolean };

const ideograph = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const maxWordLength = 22;

/** @returns whether all characters may be set downwards, and a line may break after any of them. */
export function isIdeographic(text: string): boolean {
  return text.length > 0 && [...text].every((letter) => ideograph.test(letter));
}

function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const chunk of text.split(/\s+/u)) {
    const pieces = ideograph.test(chunk)
      ? [...chunk]
      : (chunk.match(new RegExp(`.{1,${maxWordLength}}`, 'gu')) ?? []);
    pieces.forEach((piece, i) => {
      words.push({ text: piece, spaced: i === 0 });
    });
  }
  return words;
}

// These words belong to the next word: a line should not end with one.
const smallWords = new Set(
  `a an the of and or in on to for at by from with as de del la le les el los las du des da do dos das e y et o os un une
   der die das und von im zu den di il lo gli og av i ve za w z и в на с о`.split(/\s+/),
);

function belongsToNext(word: Word | undefined): boolean {
  return word !== undefined && smallWords.has(word.text.toLowerCase());
}

/** @returns the first letter of a title after its articles and prepositions, as a capital; '' without letters. */
export function initialOf(title: string): string {
  const words = title.split(/[^\p{Letter}\p{Number}]+/u).filter((word) => word !== '');
  const [initial = ''] = words.find((word) => !smallWords.has(word.toLowerCase())) ?? words[0] ?? '';
  return capitals(initial);
}

function joined(words: readonly Word[]): string {
  return words.map((word, i) => (word.spaced && i > 0 ? ' ' : '') + word.text).join('');
}

/** Sets `words` in `count` lines, as even as possible, and avoids lines that end with a small word. */
function breakEvenly(
  words: readonly Word[],
  widths: readonly number[],
  space: number,
  count: number,
): Word[][] {
  const total = widths.reduce((sum, width) => sum + width, 0) + space * (words.length - count);
  const ideal = total / count;
  type Break = { cost: number; from: number };
  let best: (Break | undefined)[] = words.map(() => undefined);
  const rows: (Break | undefined)[][] = [];
  for (let line = 0; line < count; line += 1) {
    const row: (Break | undefined)[] = words.map(() => undefined);
    for (let end = line; end < words.length; end += 1) {
      let width = -space;
      for (let start = end; start >= line; start -= 1) {
        width += (widths[start] ?? 0) + space;
        const before =
          start === 0 ? (line === 0 ? 0 : undefined) : line === 0 ? undefined : best[start - 1]?.cost;
        if (before === undefined) continue;
        const slack = (width - ideal) / ideal;
        const strands = end < words.length - 1 && belongsToNext(words[end]);
        const cost = before + slack * slack * (slack > 0 ? 1.6 : 1) + (strands ? 0.35 : 0);
        const cheapest = row[end];
        if (!cheapest || cost < cheapest.cost) row[end] = { cost, from: start };
      }
    }
    rows.push(row);
    best = row;
  }
  const lines: Word[][] = [];
  let end = words.length - 1;
  for (const row of rows.toReversed()) {
    const from = row[end]?.from ?? 0;
    lines.unshift(words.slice(from, end + 1));
    end = from - 1;
  }
  return lines;
}

/**
 * A way to set a text in lines. `stumbles` counts the lines that end with a small word. A small word alone in the first
 * line does not count: title pages often have an article there.
 */
export type Lineation = { lines: Line[]; stumbles: number };

/** @returns the most even way to set a text in one line, in two, in three, up to `maxLines`. */
export function lineations(text: string, face: FaceName, tracking: number, maxLines: number): Lineation[] {
  const words = wordsOf(text);
  const widths = words.map((word) => castLine(word.text, face, tracking).width);
  const space = words.some((word, i) => word.spaced && i > 0) ? 0.25 + tracking : 0;
  const found: Lineation[] = [];
  for (let count = 1; count <= Math.min(maxLines, words.length); count += 1) {
    const broken = breakEvenly(words, widths, space, count);
    found.push({
      lines: broken.map((line) => castLine(joined(line), face, tracking)),
      stumbles: broken
        .slice(0, -1)
        .filter((line, i) => belongsToNext(line.at(-1)) && (i > 0 || line.length > 1)).length,
    });
  }
  return found;
}

// Lines must not touch: where an accent would meet a descender, the leading grows.
const minGap = 0.07;

function openLeading(lines: readonly Line[], minLeading: number): number {
  return lines.reduce((leading, line, i) => {
    const above = lines[i - 1];
    return above ? Math.max(leading, above.fall + line.rise + minGap) : leading;
  }, minLeading);
}

/** Sets a text as large as its measure allows, with a preference for few and even lines. */
export function compose(text: string, measure: Measure): Block {
  const { width, height, maxSize, leading = 1.1, tracking = 0, maxLines = 9 } = measure;
  const face = faceFor(text, measure.face);
  const caps = capHeight(face);
  let best: Block | undefined;
  let bestScore = 0;
  for (const { lines, stumbles } of lineations(text, face, tracking, maxLines)) {
    const widths = lines.map((line) => line.width);
    const widest = Math.max(...widths);
    const opened = openLeading(lines, leading);
    const tall = caps + opened * (lines.length - 1);
    const size = Math.min(maxSize, width / Math.max(widest, 0.1), height / tall);
    const evenness = Math.min(...widths) / Math.max(widest, 0.1);
    const score = size * (1 - 0.035 * lines.length) * 0.8 ** stumbles * evenness ** 0.12;
    if (best && score <= bestScore) continue;
    bestScore = score;
    best = {
      lines,
      size,
      leading: opened * size,
      height: tall * size,
      over: Math.max(0, (lines[0]?.rise ?? 0) - caps) * size,
      under: (lines.at(-1)?.fall ?? 0) * size,
    };
  }
  return best ?? { lines: [], size: maxSize, leading: 0, height: 0, over: 0, under: 0 };
}

export type Align = 'left' | 'centre' | 'right';

/**
 * @param x the left edge, the centre or the right edge of the block, depending on `align`.
 * @param top of the capitals in the first line.
 * @returns an SVG path.
 */
export function print(block: Block, x: number, top: number, align: Align, colour: string): string {
  const lastBaseline = top + block.height;
  const data = block.lines.map((line, i) => {
    const width = line.width * block.size;
    const left = align === 'left' ? x : align === 'right' ? x - width : x - width / 2;
    const baseline = lastBaseline - (block.lines.length - 1 - i) * block.leading;
    return printLine(line, block.size, left, baseline);
  });
  return imprint(data.join(''), colour);
}

/** Sets ideographs downwards, one a line, in a column of at most `height`. */
export function composeColumn(text: string, height: number, maxSize: number): Block {
  const letters = [...text];
  const face = faceFor(text, 'noto');
  const pitch = 1.12;
  const tall = pitch * (letters.length - 1) + capHeight(face);
  const size = Math.min(maxSize, height / tall);
  const lines = letters.map((letter) => castLine(letter, face));
  return { lines, size, leading: pitch * size, height: tall * size, over: 0, under: 0.1 * size };
}

const turkish = /[ğĞşŞıİ]/u;
const greek = /\p{Script=Greek}/u;

/** @returns the text in the capitals of its language: Greek ones have no accents, and the Turkish i has its dot. */
export function capitals(text: string): string {
  if (greek.test(text)) return text.toLocaleUpperCase('el');
  return text.toLocaleUpperCase(turkish.test(text) ? 'tr' : 'en');
}
