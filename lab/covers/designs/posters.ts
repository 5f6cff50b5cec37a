/** Posters: mainly large sans serif type. */
import { capitals, compose, initialOf, lineations, print } from './composing.ts';
import type { Design } from './design.ts';
import { d, fill, ground, rect, rule } from './drawing.ts';
import { flower } from './ornaments.ts';
import { legibleOn, mix } from './palettes.ts';
import { printTitling, setTitling } from './titling.ts';
import { capHeight, castLine, faceFor, imprint, type Line, printLine } from './type-case.ts';

/** A Swiss poster: the title in the upper corner, and its initial, so large that the edge of the sheet cuts it. */
export const greatInitial: Design = (text, palette) => {
  const ink = legibleOn(palette.board, palette);
  const initial = initialOf(text.title);
  const face = faceFor(initial, 'inter');
  const letter = castLine(initial, face);
  const titling = setTitling(text, {
    width: 664,
    height: 440,
    title: { face: 'inter', size: 124, leading: 1.02, tracking: -0.018 },
    subtitle: { face: 'jost', size: 48 },
    credit: { face: 'jost', size: 58 },
    gaps: { subtitle: 28, credit: 40 },
  });
  const top = 78;
  const letterTop = Math.max(450, top + titling.height + 74);
  const size = Math.min((1300 - letterTop) / capHeight(face), 900 / Math.max(letter.width, 0.3));
  const baseline = letterTop + size * letter.rise;
  return (
    ground(palette.board) +
    imprint(printLine(letter, size, 800 - letter.width * size * 0.9, baseline), palette.accent) +
    printTitling(titling, 68, top, 'left', ink)
  );
};

/** A title in lines that are all as wide as the sheet. Printers call a block of type that is ready to print a forme. */
type Forme = { lines: readonly Line[]; sizes: readonly number[]; heights: readonly number[]; height: number };

const woodGap = 34;

function formesOf(title: string, width: number): Forme[] {
  const face = faceFor(title, 'sofia');
  const caps = capHeight(face);
  return lineations(title, face, 0.005, 9).map(({ lines }) => {
    const sizes = lines.map((line) => Math.min(width / Math.max(line.width, 0.2), 480 / caps));
    const heights = lines.map((line, i) => Math.max(line.rise, caps) * (sizes[i] ?? 0));
    return {
      lines,
      sizes,
      heights,
      height: heights.reduce((sum, height) => sum + height + woodGap, -woodGap),
    };
  });
}

/** Wood type: every line is as wide as the sheet. A title that leaves room is repeated, fainter each time. */
export const woodType: Design = (text, palette) => {
  const [left, width, foot] = [62, 676, 1138];
  const ink = legibleOn(palette.board, palette);
  const credit = compose(text.credit, { face: 'jost', width, height: 120, maxSize: 62, maxLines: 2 });
  const ruleAt = 72 + credit.over + credit.height + 48;
  const room = foot - ruleAt - 52;
  const formes = formesOf(capitals(text.title), width);
  const fullest = formes.reduce<Forme | undefined>(
    (best, forme) => (forme.height <= room && forme.height > (best?.height ?? 0) ? forme : best),
    undefined,
  );
  const forme = fullest ?? formes[0];
  let sheet =
    ground(palette.board) +
    print(credit, left + 2, 72 + credit.over, 'left', ink) +
    rule(left, left + width, ruleAt, palette.accent, 12);
  if (!forme) return sheet;
  const shrink = Math.min(1, room / forme.height);
  let baseline = foot;
  for (let echo = 0; foot - baseline + forme.height * shrink <= room + 1; echo += 1) {
    forme.lines.toReversed().forEach((line, i) => {
      const at = forme.lines.length - 1 - i;
      const colour = at % 2 === 0 ? ink : palette.accent;
      const faded = echo === 0 ? colour : mix(palette.board, palette.accent, 0.75 / echo - 0.12);
      sheet += imprint(printLine(line, (forme.sizes[at] ?? 0) * shrink, left, baseline), faded);
      baseline -= (forme.heights[at] ?? 0) * shrink + woodGap;
    });
  }
  return sheet;
};

/** A diagonal cut: the title above it, the author below it. */
export const diagonalCut: Design = (text, palette) => {
  const title = setTitling(
    { ...text, credit: '' },
    {
      width: 650,
      height: 540,
      title: { face: 'jost', size: 144, leading: 1.02, tracking: -0.012 },
      subtitle: { face: 'jost', size: 52 },
      credit: { face: 'jost', size: 60 },
      gaps: { subtitle: 30, credit: 0 },
    },
  );
  const credit = compose(text.credit, { face: 'jost', width: 620, height: 130, maxSize: 66, maxLines: 2 });
  const below = (top: number, colour: string) => fill(d`M0 ${top + 330}L800 ${top}V1200H0Z`, colour);
  return (
    ground(palette.paper) +
    below(560, palette.accent) +
    below(650, mix(palette.board, palette.paper, 0.4)) +
    below(740, palette.board) +
    printTitling(title, 70, 86, 'left', palette.ink) +
    print(credit, 732, 1122 - credit.height, 'right', legibleOn(palette.board, palette))
  );
};

/** Three horizontal bands: a flower, the title on paper, the author. */
export const threeBands: Design = (text, palette) => {
  const title = setTitling(
    { ...text, credit: '' },
    {
      width: 650,
      height: 400,
      title: { face: 'jost', size: 124, leading: 1.04, tracking: -0.01 },
      subtitle: { face: 'garamondItalic', size: 56 },
      credit: { face: 'jost', size: 60 },
      gaps: { subtitle: 34, credit: 0 },
    },
  );
  const credit = compose(text.credit, { face: 'jost', width: 640, height: 140, maxSize: 66, maxLines: 2 });
  const onBoard = legibleOn(palette.board, palette);
  return (
    ground(palette.board) +
    rect(0, 350, 800, 500, palette.paper) +
    rect(0, 330, 800, 20, palette.accent) +
    rect(0, 850, 800, 20, palette.accent) +
    fill(flower(400, 168, 104), onBoard) +
    printTitling(title, 400, 600 - title.titleBottom / 2, 'centre', palette.ink) +
    print(credit, 400, 1036 - credit.height / 2, 'centre', onBoard)
  );
};
