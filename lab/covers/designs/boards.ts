/** Decorated boards: a pattern over the whole cover, with the title on a paper label. */
import type { Chance } from './chance.ts';
import { composeColumn, isIdeographic, print } from './composing.ts';
import type { CoverText } from './cover-text.ts';
import type { Design } from './design.ts';
import { frame, ground, rect, rule } from './drawing.ts';
import { mix, type Palette } from './palettes.ts';
import {
  blossoms,
  combed,
  foliage,
  hempLeaf,
  type Pattern,
  petals,
  quatrefoil,
  scallops,
  stars,
} from './patterns.ts';
import { printTitling, setTitling } from './titling.ts';

function drawBoard(pattern: Pattern, palette: Palette, chance: Chance): string {
  const figure = mix(palette.board, palette.paper, 0.62);
  return ground(palette.board) + pattern({ figure, spark: palette.accent }, chance);
}

function pastedLabel(text: CoverText, palette: Palette): string {
  const titling = setTitling(text, {
    width: 456,
    height: 620,
    title: { face: 'garamondSemibold', size: 124, leading: 0.98 },
    subtitle: { face: 'garamondItalic', size: 54, leading: 1.1 },
    credit: { face: 'garamondItalic', size: 62, leading: 1.1 },
    gaps: { subtitle: 34, credit: 102 },
  });
  const width = 592;
  const height = 76 + titling.height + 80;
  const x = (800 - width) / 2;
  const y = Math.max(120, 450 - height / 2);
  return (
    rect(x - 12, y - 12, width + 24, height + 24, palette.board) +
    rect(x, y, width, height, palette.paper) +
    frame(x + 18, y + 18, width - 36, height - 36, palette.ink, 4) +
    frame(x + 28, y + 28, width - 56, height - 56, palette.ink, 1.5) +
    rule(350, 450, y + 76 + titling.titleBottom + 48, palette.accent, 5) +
    printTitling(titling, 400, y + 76, 'centre', palette.ink)
  );
}

function labelled(pattern: Pattern): Design {
  return (text, palette, chance) => drawBoard(pattern, palette, chance) + pastedLabel(text, palette);
}

export const scallopedBoard = labelled(scallops);
export const quatrefoilBoard = labelled(quatrefoil);
export const petalBoard = labelled(petals);
export const blossomBoard = labelled(blossoms);
export const combedBoard = labelled(combed);
export const foliageBoard = labelled(foliage);
export const starBoard = labelled(stars);

/** In the manner of East Asian stitched books: a fine lattice, a slip with a vertical title, the author as a seal. */
export const slippedBoard: Design = (text, palette, chance) => {
  if (!isIdeographic(text.title)) return labelled(hempLeaf)(text, palette, chance);
  const title = composeColumn(text.title, 640, 168);
  const slip = { x: 88, y: 96, width: 250, height: Math.max(600, title.height + 150) };
  const board =
    drawBoard(hempLeaf, palette, chance) +
    rect(slip.x, slip.y, slip.width, slip.height, palette.paper) +
    frame(slip.x + 15, slip.y + 15, slip.width - 30, slip.height - 30, palette.ink, 4) +
    print(title, slip.x + slip.width / 2, slip.y + (slip.height - title.height) / 2, 'centre', palette.ink);
  if (!isIdeographic(text.credit)) return board;
  const credit = composeColumn(text.credit, 360, 84);
  const seal = { x: 572, width: 140, height: credit.height + 84 };
  const top = 1104 - seal.height;
  return (
    board +
    rect(seal.x, top, seal.width, seal.height, palette.accent) +
    print(credit, seal.x + seal.width / 2, top + 40, 'centre', palette.ink)
  );
};
