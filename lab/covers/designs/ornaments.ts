/** Small ornaments of letterpress printing. */
import { d, fill, leaf, stroke } from './drawing.ts';

/** A flower of eight leaves, as path data. */
export function flower(x: number, y: number, radius: number): string {
  let data = '';
  for (let i = 0; i < 8; i += 1) {
    const reach = i % 2 === 0 ? radius : radius * 0.72;
    data += leaf(x, y, (i * Math.PI) / 4, reach, radius * (i % 2 === 0 ? 0.3 : 0.2));
  }
  return data;
}

/** The printers' dash: a diamond between two lines that taper. */
export function dash(x: number, y: number, width: number, colour: string): string {
  const half = width / 2;
  const wing = (side: number) =>
    d`M${x + side * half} ${y}Q${x + side * half * 0.55} ${y - 7} ${x + side * 22} ${y}Q${x + side * half * 0.55} ${y + 7} ${x + side * half} ${y}Z`;
  return fill(
    `${wing(-1)}${wing(1)}${d`M${x} ${y - 11}L${x + 11} ${y}L${x} ${y + 11}L${x - 11} ${y}Z`}`,
    colour,
  );
}

/** The printers' ivy leaf, turned on its side as on old title pages. */
export function ivyLeaf(x: number, y: number, size: number, colour: string): string {
  const at = (along: number, aside: number) => d`${x + along * size} ${y - aside * size}`;
  const heart = `M${at(0.86, 0)}C${at(0.5, -0.1)} ${at(0.3, -0.62)} ${at(-0.14, -0.58)}C${at(-0.5, -0.54)} ${at(-0.5, -0.12)} ${at(-0.16, 0)}C${at(-0.5, 0.12)} ${at(-0.5, 0.54)} ${at(-0.14, 0.58)}C${at(0.3, 0.62)} ${at(0.5, 0.1)} ${at(0.86, 0)}Z`;
  const stem = `M${at(-0.16, 0)}C${at(-0.5, 0.02)} ${at(-0.74, -0.1)} ${at(-0.86, -0.34)}C${at(-0.94, -0.58)} ${at(-0.72, -0.7)} ${at(-0.64, -0.5)}`;
  return fill(heart, colour) + stroke(stem, colour, size * 0.075);
}
