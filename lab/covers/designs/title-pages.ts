/** Covers that look like title pages: type, lines and small ornaments. */

import { compose, print } from './composing.ts';
import type { Design } from './design.ts';
import { fill, frame, ground, rect, rule } from './drawing.ts';
import { dash, flower, ivyLeaf } from './ornaments.ts';
import { contrast, legibleOn, mix } from './palettes.ts';
import { printTitling, setTitling } from './titling.ts';

/** In the manner of white French covers: one black frame, two red ones, the title in red. */
export const whiteCover: Design = (text, palette) => {
  // A pale accent is not legible on paper. The colour of the board, a little darker, may be.
  const deep = mix(palette.board, '#000000', 0.15);
  const red = contrast(palette.accent, palette.paper) >= 4.5 ? palette.accent : deep;
  const readable = contrast(red, palette.paper) >= 3 ? red : palette.ink;
  const credit = compose(text.credit, {
    face: 'garamond',
    width: 570,
    height: 140,
    maxSize: 76,
    leading: 1.1,
    maxLines: 2,
  });
  const title = setTitling(
    { ...text, credit: '' },
    {
      width: 580,
      height: 520,
      title: { face: 'didone', size: 132, leading: 1.1 },
      subtitle: { face: 'garamondItalic', size: 56 },
      credit: { face: 'garamond', size: 60 },
      gaps: { subtitle: 40, credit: 0 },
    },
  );
  return (
    ground(palette.paper) +
    frame(44, 44, 712, 1112, palette.ink, 5) +
    frame(64, 64, 672, 1072, readable, 2.5) +
    frame(74, 74, 652, 1052, readable, 2.5) +
    print(credit, 400, 166 + credit.over, 'centre', palette.ink) +
    printTitling(title, 400, 560 - title.height * 0.55, 'centre', palette.ink, readable) +
    ivyLeaf(400, 980, 84, readable)
  );
};

/** A border of one repeated flower around a classical title. */
export const flowerBorder: Design = (text, palette) => {
  const [left, right, top, bottom] = [64, 736, 64, 1136];
  const [across, down] = [12, 19];
  let flowers = '';
  for (let i = 0; i <= across; i += 1) {
    const x = left + ((right - left) * i) / across;
    flowers += flower(x, top, 26) + flower(x, bottom, 26);
  }
  for (let i = 1; i < down; i += 1) {
    const y = top + ((bottom - top) * i) / down;
    flowers += flower(left, y, 26) + flower(right, y, 26);
  }
  const ink = legibleOn(palette.board, palette);
  const ornament = mix(palette.board, palette.accent, 0.92);
  const titling = setTitling(text, {
    width: 510,
    height: 760,
    title: { face: 'garamondSemibold', size: 124, leading: 1.14, tracking: 0.025, inCapitals: true },
    subtitle: { face: 'garamondItalic', size: 58 },
    credit: { face: 'garamondItalic', size: 76 },
    gaps: { subtitle: 44, credit: 190 },
  });
  const start = 590 - titling.height / 2;
  return (
    ground(palette.board) +
    fill(flowers, ornament) +
    frame(110, 110, 580, 980, ink, 4) +
    frame(122, 122, 556, 956, ink, 1.5) +
    printTitling(titling, 400, start, 'centre', ink) +
    dash(400, start + titling.titleBottom + 95, 250, ornament)
  );
};

/** One plain colour, the author and the title in the same typeface, a line between them and a band of colour below. */
export const plainEdition: Design = (text, palette) => {
  const ink = legibleOn(palette.board, palette);
  const credit = compose(text.credit, {
    face: 'garamond',
    width: 656,
    height: 170,
    maxSize: 92,
    leading: 1.06,
    maxLines: 2,
  });
  const title = setTitling(
    { ...text, credit: '' },
    {
      width: 656,
      height: 620,
      title: { face: 'garamondSemibold', size: 168, leading: 0.98, tracking: -0.005 },
      subtitle: { face: 'garamondItalic', size: 60 },
      credit: { face: 'garamond', size: 60 },
      gaps: { subtitle: 30, credit: 0 },
    },
  );
  const ruleAt = 96 + credit.over + credit.height + 56;
  const bandAt = ruleAt + 66 + title.titleBottom + 64;
  return (
    ground(palette.board) +
    print(credit, 72, 96 + credit.over, 'left', ink) +
    rule(72, 728, ruleAt, ink, 4) +
    printTitling(title, 70, ruleAt + 66, 'left', ink) +
    rect(0, bandAt, 800, 30, palette.accent)
  );
};
