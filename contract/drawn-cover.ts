/** The cover of a book without a picture: one of eight designs in one of eight palettes, by the id of the book. */

/** The colours of ground, figure and spark. The first grounds are dark, with pale text. */
const palettes = [
  ['#6d1f2c', '#b0533f', '#e3b45f'],
  ['#1c3a5e', '#5b8cb0', '#eaa45c'],
  ['#1f4a3c', '#5f9478', '#dcb85f'],
  ['#242128', '#6f6086', '#d9a64e'],
  ['#eadfc9', '#b4472f', '#31506a'],
  ['#dfa93f', '#a43a22', '#3d2a4a'],
  ['#aebf9f', '#3f6a52', '#b5482f'],
  ['#bcd2de', '#3a6b95', '#cf5238'],
] as const;
const darkGrounds = 4;
const paper = '#f8f0e0';

/** A part of a drawing, on a sheet of 200 by 300. With a width it is a line, whose dots may be `isRound`. */
export type Layer = { d: string; colour: string; width?: number; dash?: string | number; isRound?: true };

/** The room for the words, in hundredths of the width of the sheet; cover.module.css has the places. */
export const layouts = {
  label: { width: 56, height: 55 },
  band: { width: 84, height: 60 },
  top: { width: 84, height: 63 },
  page: { width: 58, height: 70 },
};
export type Layout = keyof typeof layouts;

type Roll = (count: number) => number;
type Inks = { ground: string; figure: string; spark: string };
type Draw = (inks: Inks, roll: Roll) => Layer[];

const disc = (x: number, y: number, radius: number): string =>
  `M${x - radius} ${y}a${radius} ${radius} 0 0 1 ${2 * radius} 0 ${radius} ${radius} 0 0 1-${2 * radius} 0`;

/** Makes a grid in which every other row is shifted by half a step. */
const repeat = (stepX: number, stepY: number, path: string): string => {
  let d = '';
  for (let row = 0; row * stepY < 310; row += 1)
    for (let x = row % 2 ? stepX / 2 : 0; x < 210; x += stepX) d += `M${x} ${row * stepY}${path}`;
  return d;
};

/** The patterns of decorated boards: lattice, sprigs, scallops and petals, each with a dot at its points. */
const patterns = [
  [25, 12.5, 'l12.5 12.5-12.5 12.5-12.5-12.5z', 1.5],
  [40, 10, 'm0 7q0-9 11-12-2 11-11 12-10-1-11-12 11 3 11 12v9h-1v-9z', 0],
  [25, 12.5, 'm-12.5 0a12.5 12.5 0 0 1 25 0m-19 0a6 6 0 0 1 13 0', 1.5],
  [28, 14, 'q7-7 14 0-7 7-14 0-7-7-14 0 7 7 14 0q-6-6 0-12 6 6 0 12-6 6 0 12 6-6 0-12', 0],
] as const;

const board: Draw = ({ figure, spark }, roll) => {
  const [stepX, stepY, path, width] = patterns[roll(4)] ?? patterns[0];
  return [
    { d: repeat(stepX, stepY, path), colour: figure, width },
    { d: repeat(stepX, stepY, 'h0'), colour: spark, width: 3.5, isRound: true },
    { d: 'M30 42h140v128h-140z', colour: paper },
    { d: 'M36 48h128v116h-128z', colour: figure, width: 1.5 },
  ];
};

const bands: Draw = ({ figure, spark }, roll) => {
  const height = 20 + 9 * roll(3);
  return [
    { d: `M100 80v-${height}M100 220v${height}`, colour: figure, width: 200, dash: 3 },
    { d: 'M0 86h200v128h-200z', colour: paper },
    { d: 'M100 280q-10-6-21-2v-17q11-4 21 3 10-7 21-3v17q-11-4-21 2z', colour: spark },
  ];
};

const arcs: Draw = ({ figure, spark }, roll) => {
  const x = 100 * roll(3);
  const step = x === 100 ? 27 : 30;
  const ring = (number: number) => disc(x, 300, number * step);
  return [
    { d: ring(0.5) + ring(2.5) + ring(4.5), colour: figure, width: step * 0.6 },
    { d: ring(1.5) + ring(3.5), colour: spark, width: step * 0.6 },
  ];
};

export const mix = (first: string, second: string, share: number): string =>
  first.replace(/\w\w/g, (pair, at) => {
    const from = Number.parseInt(pair, 16);
    const to = Number.parseInt(second.slice(at, at + 2), 16);
    // The number has three digits, the first of which is 1.
    return Math.round(256 + from + (to - from) * share)
      .toString(16)
      .slice(1);
  });

/** @returns the hue of a colour in medium lightness, whose tint is visible even for a pale or dark colour. */
export const hueOf = (colour: string): string => {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const grey = parts.reduce((sum, part) => sum + part, 0) / 3;
  const strength = Math.min(6, 70 / Math.max(1, ...parts.map((part) => Math.abs(part - grey))));
  const hue = parts.map((part) => Math.round(256 + 128 + (part - grey) * strength));
  return `#${hue.map((part) => part.toString(16).slice(1)).join('')}`;
};

const rows = ({ ground, figure }: Inks, crest: (row: number) => string): Layer[] =>
  [0, 1, 2].map((row) => ({ d: `${crest(row)}V300H0z`, colour: mix(ground, figure, 0.4 + row * 0.3) }));

const sea: Draw = (inks, roll) => [
  { d: disc(60 + 40 * roll(3), 190, 34), colour: inks.spark },
  ...rows(inks, (row) => `M${-25 * (row % 2)} ${198 + row * 34}${'q25 16 50 0'.repeat(5)}`),
];

const peaks: Draw = (inks, roll) => [
  { d: disc(40 + 60 * roll(3), 182, 24), colour: inks.spark },
  ...rows(inks, (row) => {
    let d = `M-20 ${230 + row * 25}`;
    for (let x = -20; x < 200; ) {
      const [run, rise] = [18 + roll(16), 24 + roll(28) - row * 6];
      d += `l${run}-${rise} ${run} ${rise + roll(9) - 4}`;
      x += 2 * run;
    }
    return d;
  }),
];

const tiles = [
  'h50a50 50 0 0 1-50 50z',
  'h50v50a50 50 0 0 1-50-50z',
  'm50 50h-50a50 50 0 0 1 50-50z',
  'v50h50a50 50 0 0 0-50-50z',
  'h50v50z',
  'm7 25a18 18 0 0 1 36 0 18 18 0 0 1-36 0',
];

const mosaic: Draw = ({ figure, spark }, roll) => {
  const layers = [figure, spark, paper].map((colour) => ({ d: '', colour }));
  for (let place = 0; place < 12; place += 1) {
    const layer = layers[roll(5) % 3];
    if (layer) layer.d += `M${(place % 4) * 50} ${150 + 50 * (place >> 2)}${tiles[roll(6)]}`;
  }
  return layers;
};

const page: Draw = ({ figure, spark }) => [
  { d: 'M10 10h180v280H10zM30 34h140v232H30zM60 206h28m24 0h28', colour: figure, width: 1.5 },
  // Both sides are a whole number of steps long: a dot stands in each corner.
  { d: 'M20 22h160v256H20z', colour: spark, width: 5, dash: '0 16', isRound: true },
  { d: 'M100 196l8 10-8 10-8-10z', colour: spark },
];

// The rays are the dashes of an arc, whose line is as wide as the rays are long.
const fan: Draw = ({ ground, figure, spark }, roll) => [
  { d: disc(100, 300, 74), colour: figure, width: 148, dash: (74 * Math.PI) / (17 + 4 * roll(3)) },
  { d: disc(100, 300, 58), colour: ground },
  { d: disc(100, 300, 48), colour: spark },
];

const designs: readonly (readonly [Layout, Draw])[] = [
  ['label', board],
  ['band', bands],
  ['top', arcs],
  ['top', sea],
  ['top', peaks],
  ['top', mosaic],
  ['page', page],
  ['top', fan],
];

// Each design has sixteen drawings in each palette.
const drawingCount = 1024;

export function drawingOf(id: string): number {
  // FNV-1a, whose last bits are mixed into the upper ones: ids may differ only in their last character.
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i += 1) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash >>> 12) % drawingCount;
}

export const designOf = (drawing: number): number => drawing % designs.length;

export function drawCover(drawing: number) {
  const [design, palette] = [designOf(drawing), (drawing >> 3) % palettes.length];
  const [ground, figure, spark] = palettes[palette] ?? palettes[0];
  const [layout, draw] = designs[design] ?? ['top', sea];
  let state = drawing + 1;
  const roll: Roll = (count) => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
    return (state >>> 12) % count;
  };
  const layers = draw({ ground, figure, spark }, roll);
  return { design, palette, ground, layers, layout, isDark: palette < darkGrounds };
}

export type DrawnCover = ReturnType<typeof drawCover>;
