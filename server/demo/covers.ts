/** Draws a cover for any book: an SVG document of 800 by 1200, its letters outlines, the same for the same book. */
import { chanceFrom, hash } from './cover-designs/chance.ts';
import { commissions, type DesignName, designs } from './cover-designs/commissions.ts';
import { coverText } from './cover-designs/cover-text.ts';
import { type PaletteName, palettes } from './cover-designs/palettes.ts';
import { missingLetters } from './cover-designs/type-case.ts';

function pickName<Name extends string>(
  choices: Readonly<Partial<Record<Name, unknown>>>,
  number: number,
): Name {
  const names = Object.keys(choices) as Name[];
  const name = names[number % names.length];
  if (!name) throw new Error('There is nothing to pick from.');
  return name;
}

// A label without a word on it looks like a mistake; a landscape does not.
const { seaScene, mountainScene, hillScene, nightSea } = designs;
const wordlessDesigns = { seaScene, mountainScene, hillScene, nightSea };

function isPrintable(title: string): boolean {
  const letters = [...title.replace(/\s/gu, '')];
  return missingLetters(title, 'garamond').length < letters.length / 2;
}

/** The design and the colours that a book's cover has. */
export function chooseCover(book: { title: string; author: string }): {
  design: DesignName;
  palette: PaletteName;
} {
  const [design, palette] = commissions[book.title] ?? [];
  const seed = hash(`${book.title}\n${book.author}`);
  const choices: Partial<typeof designs> = isPrintable(book.title) ? designs : wordlessDesigns;
  return {
    design: design ?? pickName(choices, seed),
    palette: palette ?? pickName(palettes, hash(String(seed))),
  };
}

/** A cover for a book, as an SVG document without texts, fonts or anything from outside. */
export function drawCover(book: { title: string; author: string }): string {
  const { design, palette } = chooseCover(book);
  const chance = chanceFrom(hash(`${book.author}\n${book.title}`));
  const body = designs[design](coverText(book), palettes[palette], chance);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 1200" width="800" height="1200">${body}</svg>`;
}
