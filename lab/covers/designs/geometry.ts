/** Flat geometric covers in the manner of the 1960s. */
import type { Chance } from './chance.ts';
import type { CoverText } from './cover-text.ts';
import type { Design } from './design.ts';
import { circle, d, fill, ground, rect } from './drawing.ts';
import { legibleOn, mix, type Palette } from './palettes.ts';
import { printTitling, setTitling } from './titling.ts';

/** The title and the author in the upper part of a sheet, aligned left. */
function headline(text: CoverText, ink: string): string {
  const titling = setTitling(text, {
    width: 668,
    height: 300,
    title: { face: 'jost', size: 132, leading: 1.02, tracking: -0.012 },
    subtitle: { face: 'jost', size: 48 },
    credit: { face: 'garamondItalic', size: 68 },
    gaps: { subtitle: 24, credit: 38 },
  });
  return printTitling(titling, 66, 66, 'left', ink);
}

/** Paper rings of different colours around one corner. */
export const cornerArcs: Design = (text, palette, chance) => {
  const x = chance.pick([0, 800]);
  const tones = [palette.accent, palette.paper, mix(palette.board, palette.accent, 0.4), palette.accent];
  const rings = tones.flatMap((tone) => [tone, palette.board]);
  return (
    ground(palette.board) +
    rings.map((tone, i) => circle(x, 1200, 760 - i * 96, tone)).join('') +
    headline(text, legibleOn(palette.board, palette))
  );
};

function quarterRound(x: number, y: number, side: number, corner: number): string {
  const corners = [
    d`M${x} ${y}h${side}a${side} ${side} 0 0 1 ${-side} ${side}Z`,
    d`M${x + side} ${y}v${side}a${side} ${side} 0 0 1 ${-side} ${-side}Z`,
    d`M${x + side} ${y + side}h${-side}a${side} ${side} 0 0 1 ${side} ${-side}Z`,
    d`M${x} ${y + side}v${-side}a${side} ${side} 0 0 1 ${side} ${side}Z`,
  ];
  return corners[corner] ?? '';
}

/** Sixteen tiles, each with a quarter of a circle, a disc or a triangle. */
export const tiles: Design = (text, palette, chance) => {
  const side = 200;
  const tones = [
    palette.board,
    palette.accent,
    mix(palette.board, palette.paper, 0.75),
    palette.ink,
  ] as const;
  const pickTone = (number: number) => tones[number % 4] ?? palette.board;
  let sheet = ground(palette.paper);
  for (let row = 0; row < 4; row += 1) {
    for (let column = 0; column < 4; column += 1) {
      const [x, y] = [column * side, 400 + row * side];
      const under = row + column * 3 + Math.floor(chance.next() * 2);
      const tone = pickTone(under + 1 + Math.floor(chance.next() * 3));
      const shape = chance.next();
      // Tiles overlap by half a unit, because gaps would show between them otherwise.
      sheet += rect(x, y, side + 0.5, side + 0.5, pickTone(under));
      if (shape < 0.62) sheet += fill(quarterRound(x, y, side, Math.floor(chance.next() * 4)), tone);
      else if (shape < 0.8) sheet += circle(x + side / 2, y + side / 2, side * 0.36, tone);
      else sheet += fill(d`M${x} ${y}h${side}L${x} ${y + side}Z`, tone);
    }
  }
  return sheet + headline(text, palette.ink);
};

function stripes(palette: Palette, chance: Chance): string {
  const dark = mix(palette.board, palette.ink, 0.6);
  const light = mix(palette.board, palette.paper, 0.55);
  const cycle = [palette.accent, dark, palette.paper, palette.board, light];
  let bands = '';
  let x = 0;
  for (let i = 0; x < 800; i += 1) {
    const width = chance.pick([16, 28, 44, 72, 104]);
    bands += rect(x, 0, width + 0.5, 1200, cycle[i % cycle.length] ?? palette.board);
    x += width;
  }
  return bands;
}

/** Vertical bands of different widths behind one broad panel. */
export const uprightBands: Design = (text, palette, chance) => {
  const panel = { y: 620, height: 470 };
  const titling = setTitling(text, {
    width: 650,
    height: 370,
    title: { face: 'didone', size: 124, leading: 1.06 },
    subtitle: { face: 'garamondItalic', size: 52 },
    credit: { face: 'garamond', size: 66 },
    gaps: { subtitle: 30, credit: 48 },
  });
  const top = panel.y + (panel.height - titling.height) / 2;
  return (
    ground(palette.board) +
    stripes(palette, chance) +
    rect(0, panel.y, 800, panel.height, palette.paper) +
    printTitling(titling, 400, top, 'centre', palette.ink)
  );
};
