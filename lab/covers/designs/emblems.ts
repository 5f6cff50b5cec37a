/** Covers with one emblem: a plant drawn in leaves, or a sun with the title in it. */
import type { Design } from './design.ts';
import { circle, d, dot, fill, frame, ground, leaf, ring, stroke } from './drawing.ts';
import { flower } from './ornaments.ts';
import { legibleOn, mix } from './palettes.ts';
import { printTitling, setTitling } from './titling.ts';

/** A pressed plant, with the title above it. */
export const herbarium: Design = (text, palette, chance) => {
  const ink = legibleOn(palette.board, palette);
  const green = mix(palette.board, ink, 0.72);
  const titling = setTitling(text, {
    width: 630,
    height: 350,
    title: { face: 'garamondSemibold', size: 128, leading: 0.98 },
    subtitle: { face: 'garamondItalic', size: 52 },
    credit: { face: 'garamondItalic', size: 68 },
    gaps: { subtitle: 20, credit: 34 },
  });
  const lengths = [165, 225, 250, 228, 178, 120];
  const slender = chance.between(20, 34);
  let leaves = '';
  let stems = d`M400 1110V560`;
  let berries = '';
  for (const [i, length] of lengths.entries()) {
    const y = 1060 - i * 76;
    for (const side of [-1, 1]) {
      const angle = -Math.PI / 2 + side * (1.12 - i * 0.07);
      leaves += leaf(400 + side * 4, y, angle, length, slender + 8);
      const tip = angle - side * 0.42;
      const [tipX, tipY] = [400 + Math.cos(tip) * length * 0.62, y - 26 + Math.sin(tip) * length * 0.62];
      if (i < 5) {
        stems += d`M400 ${y}Q${400 + side * 26} ${y - 60} ${tipX} ${tipY}`;
        berries += dot(tipX, tipY, 12);
      }
    }
  }
  return (
    ground(palette.board) +
    frame(36, 36, 728, 1128, green, 4) +
    stroke(stems, green, 5) +
    fill(leaves, green) +
    fill(berries + flower(400, 545, 78), palette.accent) +
    circle(400, 545, 13, palette.board) +
    printTitling(titling, 400, 100, 'centre', ink)
  );
};

/** A sun over the whole sheet, the title in its disc. */
export const sunburst: Design = (text, palette) => {
  const centre = { x: 400, y: 560 };
  const rays = 36;
  let beams = '';
  for (let i = 0; i < rays; i += 1) {
    const from = ((i - 0.25) * 2 * Math.PI) / rays;
    const to = ((i + 0.25) * 2 * Math.PI) / rays;
    const at = (angle: number) =>
      d`${centre.x + Math.cos(angle) * 1100} ${centre.y + Math.sin(angle) * 1100}`;
    beams += d`M${centre.x} ${centre.y}L${at(from)}L${at(to)}Z`;
  }
  const titling = setTitling(text, {
    width: 490,
    height: 400,
    title: { face: 'garamondSemibold', size: 116, leading: 1.06, tracking: 0.015, inCapitals: true },
    subtitle: { face: 'garamondItalic', size: 46, maxLines: 2 },
    credit: { face: 'garamondItalic', size: 62 },
    gaps: { subtitle: 26, credit: 56 },
  });
  return (
    ground(palette.board) +
    fill(beams, mix(palette.board, palette.accent, 0.82)) +
    circle(centre.x, centre.y, 356, palette.board) +
    circle(centre.x, centre.y, 336, palette.paper) +
    ring(centre.x, centre.y, 316, palette.ink, 4) +
    printTitling(titling, centre.x, centre.y - titling.height / 2, 'centre', palette.ink)
  );
};
