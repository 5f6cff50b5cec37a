/** The composing stick: text broken into balanced lines, sized to its space and printed as one path. */
import { capHeight, castLine, type FaceName, faceFor, imprint, type Line, printLine } from './type-case.ts';

/** Lines of one size; `height` runs from the capitals' top in the first line to the last line's baseline. */
export type Block = {
  lines: readonly Line[];
  size: number;
  leading: number;
  height: number;
  /** What rises above the capitals of the first line: accents. */
  over: number;
  /** What hangs below the last baseline. */
  under: number;
};

export type Measure = {
  face: FaceName;
  width: number;
  height: number;
  maxSize: number;
  /** Baseline to baseline, in ems; accents that would touch the line above push it wider. */
  leading?: number;
  tracking?: number;
  maxLines?: number;
};

type Word = { text: string; spaced: boolean };

const ideograph = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const longestWord = 22;

/** Whether a text is of characters that may be set downwards and broken anywhere. */
export function isIdeographic(text: string): boolean {
  return text.length > 0 && [...text].every((letter) => ideograph.test(letter));
}

function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const chunk of text.split(/\s+/u)) {
    const pieces = ideograph.test(chunk)
      ? [...chunk]
      : (chunk.match(new RegExp(`.{1,${longestWord}}`, 'gu')) ?? []);
    pieces.forEach((piece, i) => {
      words.push({ text: piece, spaced: i === 0 });
    });
  }
  return words;
}

// Words that lean on the next one: a line that ends with one reads as a stumble.
const leaning = new Set(
  `a an the of and or in on to for at by from with as de del la le les el los las du des da do dos das e y et o os un une
   der die das und von im zu den di il lo gli og av i ve za w z и в на с о`.split(/\s+/),
);

function leansOn(word: Word | undefined): boolean {
  return word !== undefined && leaning.has(word.text.toLowerCase());
}

/** A title's first letter that means something: what leans on it (articles, prepositions) is passed over. */
export function initialOf(title: string): string {
  const words = title.split(/[^\p{Letter}\p{Number}]+/u).filter((word) => word !== '');
  const [initial = ''] = words.find((word) => !leaning.has(word.toLowerCase())) ?? words[0] ?? '';
  return capitals(initial);
}

function joined(words: readonly Word[]): string {
  return words.map((word, i) => (word.spaced && i > 0 ? ' ' : '') + word.text).join('');
}

/** The most even way to set `words` in exactly `count` lines that does not strand a small word. */
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
        const strands = end < words.length - 1 && leansOn(words[end]);
        const cost = before + slack * slack * (slack > 0 ? 1.6 : 1) + (strands ? 0.35 : 0);
        const known = row[end];
        if (!known || cost < known.cost) row[end] = { cost, from: start };
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
 * A way to set a text in lines; it stumbles where a line ends with a word that leans on the next,
 * unless that word is an article alone at the head of the stack, where title pages have always set it.
 */
export type Lineation = { lines: Line[]; stumbles: number };

/** Every way to set a text in one, two, three … lines, each as even as it can be. */
export function lineations(text: string, face: FaceName, tracking: number, maxLines: number): Lineation[] {
  const words = wordsOf(text);
  const widths = words.map((word) => castLine(word.text, face, tracking).width);
  const space = words.some((word, i) => word.spaced && i > 0) ? 0.25 + tracking : 0;
  const found: Lineation[] = [];
  for (let count = 1; count <= Math.min(maxLines, words.length); count += 1) {
    const broken = breakEvenly(words, widths, space, count);
    found.push({
      lines: broken.map((line) => castLine(joined(line), face, tracking)),
      stumbles: broken.slice(0, -1).filter((line, i) => leansOn(line.at(-1)) && (i > 0 || line.length > 1))
        .length,
    });
  }
  return found;
}

// Lines must not touch: where an accent meets a descender, the leading gives way.
const leastGap = 0.07;

function openLeading(lines: readonly Line[], wanted: number): number {
  return lines.reduce((leading, line, i) => {
    const above = lines[i - 1];
    return above ? Math.max(leading, above.fall + line.rise + leastGap) : leading;
  }, wanted);
}

/** Sets a text as large as its measure allows, in as few and as even lines as look well. */
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

/** Prints a block with the top of its first capitals at `top`; `x` is its left edge, its axis or its right edge. */
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

/** Sets ideographs downwards, one a line, in a column at most `height` high. */
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

/** A text in capitals, as its language writes them: Greek drops its accents, Turkish keeps its dots. */
export function capitals(text: string): string {
  if (greek.test(text)) return text.toLocaleUpperCase('el');
  return text.toLocaleUpperCase(turkish.test(text) ? 'tr' : 'en');
}
