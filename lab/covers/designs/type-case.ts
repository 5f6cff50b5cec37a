/** The typefaces of the covers, and lines of letters from them. Lengths are in ems; y grows downwards. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import opentype, { type BoundingBox, type Font, type Glyph } from 'opentype.js';

const fontFiles = {
  garamond: 'eb-garamond-regular.woff',
  garamondItalic: 'eb-garamond-italic.woff',
  garamondSemibold: 'eb-garamond-semibold.woff',
  didone: 'colophon-didone-bold.woff',
  jost: 'jost-medium.woff',
  inter: 'inter-tight-bold.woff',
  sofia: 'sofia-sans-extra-condensed-extrabold.woff',
  noto: 'noto-serif-tc-semibold.woff',
} as const;

export type FaceName = keyof typeof fontFiles;

/** The faces that replace one that lacks letters. A whole text is set in one face if one has all its letters. */
const fallbacks: Readonly<Record<FaceName, readonly FaceName[]>> = {
  garamond: ['noto'],
  garamondItalic: ['garamond', 'noto'],
  garamondSemibold: ['noto'],
  didone: ['garamondSemibold', 'noto'],
  jost: ['inter', 'noto'],
  inter: ['noto'],
  sofia: ['inter', 'noto'],
  noto: ['garamondSemibold'],
};

const opened = new Map<FaceName, Font>();

function openFace(name: FaceName): Font {
  const cached = opened.get(name);
  if (cached) return cached;
  const bytes = readFileSync(join(import.meta.dirname, '..', 'fonts', fontFiles[name]));
  const font = opentype.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  opened.set(name, font);
  return font;
}

/** A letter of a face; printers call a piece of type a sort. `ink` is the box around its visible outline. */
type Sort = { face: FaceName; glyph: Glyph; ink: BoundingBox };

const sorts = new Map<string, Sort | undefined>();

// A letter may be typed as a base and an accent, but fonts have one glyph for both.
function lettersOf(text: string): string[] {
  return [...text.normalize('NFC')];
}

function findSort(letter: string, face: FaceName): Sort | undefined {
  const key = `${face} ${letter}`;
  if (sorts.has(key)) return sorts.get(key);
  const glyph = openFace(face).charToGlyph(letter);
  const sort = glyph.index === 0 ? undefined : { face, glyph, ink: glyph.getBoundingBox() };
  sorts.set(key, sort);
  return sort;
}

function countMissing(letters: readonly string[], face: FaceName): number {
  return letters.filter((letter) => !findSort(letter, face)).length;
}

/** @returns the face for a text: the requested one, or a fallback that has more of its letters. */
export function faceFor(text: string, requested: FaceName): FaceName {
  const letters = lettersOf(text);
  let best = requested;
  let fewest = countMissing(letters, requested);
  for (const fallback of fallbacks[requested]) {
    if (fewest === 0) break;
    const missing = countMissing(letters, fallback);
    if (missing < fewest) [best, fewest] = [fallback, missing];
  }
  return best;
}

function pickSort(letter: string, face: FaceName): Sort | undefined {
  for (const name of [face, ...fallbacks[face]]) {
    const sort = findSort(letter, name);
    if (sort) return sort;
  }
  return undefined;
}

/** @returns the letters of a text that no face has; a cover leaves them out. */
export function missingLetters(text: string, requested: FaceName): string[] {
  const face = faceFor(text, requested);
  return lettersOf(text).filter((letter) => !pickSort(letter, face));
}

/** @returns the height of capitals in ems. */
export function capHeight(face: FaceName): number {
  const font = openFace(face);
  return font.tables.os2.sCapHeight / font.unitsPerEm;
}

/**
 * A line of letters. The visible outlines start at x = 0 and are `width` wide; `rise` and `fall` are their height above
 * and their depth below the baseline.
 */
export type Line = {
  sorts: readonly { glyph: Glyph; unitsPerEm: number; x: number }[];
  width: number;
  rise: number;
  fall: number;
};

/** Sets a text as one line, with kerning and `tracking` between the letters. Letters without a glyph are left out. */
export function castLine(text: string, face: FaceName, tracking = 0): Line {
  const cast: { glyph: Glyph; unitsPerEm: number; x: number }[] = [];
  let pen = 0;
  let rise = 0;
  let fall = 0;
  let inkStart: number | undefined;
  let inkEnd = 0;
  let previous: Sort | undefined;
  for (const letter of lettersOf(text)) {
    const sort = pickSort(letter, face);
    if (!sort) continue;
    const font = openFace(sort.face);
    const unit = 1 / font.unitsPerEm;
    if (previous?.face === sort.face) pen += font.getKerningValue(previous.glyph, sort.glyph) * unit;
    const { ink } = sort;
    if (ink.x2 > ink.x1) {
      inkStart ??= pen + ink.x1 * unit;
      inkEnd = pen + ink.x2 * unit;
      rise = Math.max(rise, ink.y2 * unit);
      fall = Math.max(fall, -ink.y1 * unit);
      cast.push({ glyph: sort.glyph, unitsPerEm: font.unitsPerEm, x: pen });
    }
    pen += (sort.glyph.advanceWidth ?? 0) * unit + tracking;
    previous = sort;
  }
  const start = inkStart ?? 0;
  return {
    sorts: cast.map((sort) => ({ ...sort, x: sort.x - start })),
    width: inkEnd - start,
    rise,
    fall,
  };
}

// Path data is in tenths of a unit: whole numbers are shorter than fractions, and faster to write.
const grain = 10;

/** @returns path data of a line's outlines for {@link imprint}: they start at `x` and stand on `baseline`. */
export function printLine(line: Line, size: number, x: number, baseline: number): string {
  let data = '';
  for (const sort of line.sorts) {
    const scale = (size / sort.unitsPerEm) * grain;
    const left = (x + sort.x * size) * grain;
    const [column, row] = [
      (px: number) => Math.round(left + px * scale),
      (py: number) => Math.round(baseline * grain - py * scale),
    ];
    // Relative coordinates are shorter. The points are rounded, not the differences, so that errors do not add up.
    let [penX, penY, startX, startY] = [0, 0, 0, 0];
    const from = (toX: number, toY: number) => pair(toX - penX, toY - penY);
    for (const step of sort.glyph.path.commands) {
      if (step.type === 'Z') {
        data += 'z';
        [penX, penY] = [startX, startY];
        continue;
      }
      const [toX, toY] = [column(step.x), row(step.y)];
      if (step.type === 'M') {
        data += `M${pair(toX, toY)}`;
        [startX, startY] = [toX, toY];
      } else if (step.type === 'L') data += `l${from(toX, toY)}`;
      else if (step.type === 'Q') data += `q${from(column(step.x1), row(step.y1))} ${from(toX, toY)}`;
      else if (step.type === 'C')
        data += `c${from(column(step.x1), row(step.y1))} ${from(column(step.x2), row(step.y2))} ${from(toX, toY)}`;
      [penX, penY] = [toX, toY];
    }
  }
  return data;
}

// A minus sign separates two numbers as well as a space does.
function pair(x: number, y: number): string {
  return y < 0 ? `${x}${y}` : `${x} ${y}`;
}

/** @returns an SVG path of outlines from {@link printLine}. */
export function imprint(outlines: string, colour: string): string {
  return `<path transform="scale(${1 / grain})" fill="${colour}" d="${outlines}"/>`;
}
