/** Draws a cover for any book. The cover is an SVG document of 800 by 1200 units, and always the same for a book. */
import { chanceFrom, hash } from './designs/chance.ts';
import { commissions, type DesignName, designs } from './designs/commissions.ts';
import { coverText } from './designs/cover-text.ts';
import { type PaletteName, palettes } from './designs/palettes.ts';
import { missingLetters } from './designs/type-case.ts';

// Object.keys returns plain strings. Both constants have exactly these names, and are not empty.
const designNames = Object.keys(designs) as [DesignName, ...DesignName[]];
const paletteNames = Object.keys(palettes) as [PaletteName, ...PaletteName[]];
// A label without words looks like a mistake; a landscape does not.
const wordlessNames: readonly [DesignName, ...DesignName[]] = [
  'seaScene',
  'mountainScene',
  'hillScene',
  'nightSea',
];

function isPrintable(title: string): boolean {
  const letters = [...title.replace(/\s/gu, '')];
  return missingLetters(title, 'garamond').length < letters.length / 2;
}

/** @returns the names of the design and the palette of a book's cover. */
export function chooseCover(book: { title: string; author: string }): {
  design: DesignName;
  palette: PaletteName;
} {
  const commission = commissions.get(book.title);
  if (commission) return { design: commission[0], palette: commission[1] };
  const chance = chanceFrom(hash(`${book.title}\n${book.author}`));
  return {
    design: chance.pick(isPrintable(book.title) ? designNames : wordlessNames),
    palette: chance.pick(paletteNames),
  };
}

/** The width of a drawing in SVG units; its height is 1.5 times that. */
export const coverWidth = 800;

/** @returns an SVG document that loads nothing and needs no font: the letters are outlines. */
export function drawCover(book: { title: string; author: string }): string {
  const { design, palette } = chooseCover(book);
  const chance = chanceFrom(hash(`${book.author}\n${book.title}`));
  const body = designs[design](coverText(book), palettes[palette], chance);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 1200" width="800" height="1200">${body}</svg>`;
}
