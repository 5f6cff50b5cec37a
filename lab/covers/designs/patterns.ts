/** Patterns for decorated boards, each covering the whole sheet. */
import type { Chance } from './chance.ts';
import { d, dot, fill, leaf, sheet, stroke } from './drawing.ts';
import { flower } from './ornaments.ts';

/** The colour of the pattern, and that of its small accents. */
export type PatternColours = { figure: string; spark: string };
/** Returns SVG elements for a whole sheet; their background is transparent. */
export type Pattern = (colours: PatternColours, chance: Chance) => string;

/** The points of a lattice over the sheet and its edges; every second column is half a step lower. */
function halfDrop(stepX: number, stepY: number): { x: number; y: number }[] {
  const points: { x: number; y: number }[] = [];
  for (let column = 0; column * stepX <= sheet.width + stepX; column += 1) {
    for (let y = column % 2 === 0 ? 0 : stepY / 2; y <= sheet.height + stepY; y += stepY) {
      points.push({ x: column * stepX, y });
    }
  }
  return points;
}

/**
 * Overlapping fans, the waves of Japanese papers. Each row is half a radius above the next one, which hides half of it.
 * Only the visible arcs are drawn, at a tenth of the cost of whole fans, one over another.
 */
export const scallops: Pattern = ({ figure }) => {
  const radius = 66.67;
  let arcs = '';
  for (const share of [0.9, 0.66, 0.42, 0.18]) {
    // Where the arc meets the rim of the fan in front: 2 cos a - sin a = share + 1 / (4 share).
    const angle = Math.acos((share + 0.25 / share) / Math.sqrt(5)) - Math.atan(0.5);
    const [x, y, r] = [Math.cos(angle) * share * radius, -Math.sin(angle) * share * radius, share * radius];
    arcs += d`M${-x} ${y}A${r} ${r} 0 0 1 ${x} ${y}`;
  }
  let fans = d`<defs><path id="fan" fill="none" stroke="${figure}" stroke-width="6" d="${arcs}"/></defs>`;
  for (let row = 0; row * radius * 0.5 < sheet.height + radius * 2; row += 1) {
    const y = row * radius * 0.5;
    for (let x = row % 2 === 0 ? 0 : radius; x <= sheet.width + radius; x += radius * 2) {
      fans += d`<use href="#fan" x="${x}" y="${y}"/>`;
    }
  }
  return fans;
};

/** Four leaves around every point of a diagonal lattice, with dots between them. */
export const quatrefoil: Pattern = ({ figure, spark }) => {
  let leaves = '';
  let sparks = '';
  for (const { x, y } of halfDrop(80, 160)) {
    for (let i = 0; i < 4; i += 1) leaves += leaf(x, y, Math.PI / 4 + (i * Math.PI) / 2, 92, 24);
    sparks += dot(x, y + 80, 12);
  }
  return fill(leaves, figure) + fill(sparks, spark);
};

/** Overlapping circles whose intersections are petals. */
export const petals: Pattern = ({ figure, spark }) => {
  const step = 100;
  let lenses = '';
  let sparks = '';
  for (let y = 0; y <= sheet.height; y += step) {
    for (let x = 0; x <= sheet.width; x += step) {
      lenses += leaf(x, y, 0, step, 28) + leaf(x, y, Math.PI / 2, step, 28);
      sparks += d`M${x + 50} ${y + 38}l12 12l-12 12l-12 -12Z`;
    }
  }
  return fill(lenses, figure) + fill(sparks, spark);
};

export const blossoms: Pattern = ({ figure, spark }) => {
  let flowers = '';
  let sparks = '';
  for (const { x, y } of halfDrop(100, 133.33)) {
    flowers += flower(x, y, 46);
    sparks += dot(x, y, 9) + dot(x, y + 66.67, 8);
  }
  return fill(flowers, figure) + fill(sparks, spark);
};

/** Combed paper: parallel waves. */
export const combed: Pattern = ({ figure, spark }, chance) => {
  const swing = chance.between(20, 34);
  const wave = 200;
  let lines = '';
  let accents = '';
  for (let row = -1, y = -40; y < sheet.height + 80; row += 1, y += 30) {
    let line = d`M-100 ${y}`;
    for (let x = -100; x < sheet.width + 100; x += wave) {
      line += d`q${wave / 4} ${-swing * 1.6} ${wave / 2} 0t${wave / 2} 0`;
    }
    if (row % 4 === 0) accents += line;
    else lines += line;
  }
  return stroke(lines, figure, 9) + stroke(accents, spark, 9);
};

/** Stems side by side, with leaves in a herringbone pattern. */
export const foliage: Pattern = ({ figure, spark }) => {
  let leaves = '';
  let stems = '';
  const step = 114.3;
  for (let column = 0; column * step < sheet.width; column += 1) {
    const x = (column + 0.5) * step;
    const up = column % 2 === 0;
    stems += d`M${x} 0V${sheet.height}`;
    for (let y = -60; y <= sheet.height + 60; y += 50) {
      const lift = up ? -0.75 : 0.75;
      leaves += leaf(x, y, lift, 62, 17) + leaf(x, y, Math.PI - lift, 62, 17);
    }
  }
  return stroke(stems, spark, 4) + fill(leaves, figure);
};

/** Hemp leaf: the six-pointed lattice of Japanese cloths, as lines. */
export const hempLeaf: Pattern = ({ figure }) => {
  const side = 92.4;
  const rise = side * Math.sqrt(3);
  let lines = '';
  for (let row = -1; row * (rise / 2) < sheet.height + rise; row += 1) {
    const y = row * (rise / 2);
    for (let x = (row % 2 === 0 ? 0 : side / 2) - side; x < sheet.width + side; x += side) {
      const half = rise / 2;
      lines += d`M${x} ${y}h${side}M${x} ${y}l${side / 2} ${half}M${x + side} ${y}l${-side / 2} ${half}`;
      lines += d`M${x} ${y}L${x + side / 2} ${y + half / 3}L${x + side} ${y}M${x + side / 2} ${y + half / 3}v${(half * 2) / 3}`;
      lines += d`M${x + side / 2} ${y + half}L${x + side} ${y + (half * 2) / 3}L${x + side * 1.5} ${y + half}M${x + side} ${y + (half * 2) / 3}V${y}`;
    }
  }
  return stroke(lines, figure, 4);
};

/** Large stars with small dots between them. */
export const stars: Pattern = ({ figure, spark }) => {
  const star = (x: number, y: number, radius: number) => {
    let data = '';
    for (let i = 0; i < 4; i += 1) data += leaf(x, y, (i * Math.PI) / 2, radius, radius * 0.17);
    return data;
  };
  let large = '';
  let small = '';
  for (const { x, y } of halfDrop(88.9, 120)) {
    large += star(x, y, 42);
    small += dot(x, y + 60, 6.5);
  }
  return fill(large, figure) + fill(small, spark);
};
