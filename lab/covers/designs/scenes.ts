/** Landscapes cut from coloured paper: sea, mountains or hills under a sun. */
import type { Chance } from './chance.ts';
import type { CoverText } from './cover-text.ts';
import type { Design } from './design.ts';
import { circle, d, fill, ground } from './drawing.ts';
import { contrast, legibleOn, mix, type Palette } from './palettes.ts';
import { printTitling, setTitling, type Titling } from './titling.ts';

function skyline(text: CoverText): Titling {
  return setTitling(text, {
    width: 668,
    height: 390,
    title: { face: 'didone', size: 132, leading: 1.06 },
    subtitle: { face: 'garamondItalic', size: 54 },
    credit: { face: 'garamond', size: 68 },
    gaps: { subtitle: 30, credit: 46 },
  });
}

type Air = { sky: string; light: string; far: string; near: string };
type Land = (tones: (count: number) => string[], chance: Chance) => string;

function day(palette: Palette): Air {
  return {
    sky: mix(palette.board, palette.paper, 0.82),
    light: palette.accent,
    far: mix(palette.board, palette.paper, 0.38),
    near: mix(palette.board, palette.ink, 0.72),
  };
}

function night(palette: Palette): Air {
  return {
    // A pale board needs more ink for a dark sky.
    sky: mix(palette.board, palette.ink, contrast(palette.board, palette.paper) < 4 ? 0.8 : 0.35),
    light: palette.accent,
    far: mix(palette.board, palette.paper, 0.36),
    near: mix(palette.ink, '#000000', 0.3),
  };
}

const waves: Land = (tones) => {
  return tones(6)
    .map((tone, row) => {
      const y = 740 + row * 84;
      const length = 266.67;
      let crest = d`M${row % 2 === 0 ? -length / 2 : 0} ${y}`;
      for (let x = 0; x < 800 + length; x += length) crest += d`q${length / 2} ${92} ${length} 0`;
      return fill(`${crest}V1200H-200Z`, tone);
    })
    .join('');
};

const mountains: Land = (tones, chance) => {
  return tones(4)
    .map((tone, row) => {
      const base = 700 + row * 130;
      let ridge = `M0 1200V${base}`;
      let x = 0;
      while (x < 800) {
        const run = chance.between(110, 200);
        const rise = chance.between(90, 220) * (1 - row * 0.16);
        ridge += d`L${x + run * 0.5} ${base - rise}L${x + run} ${base - chance.between(-10, 40)}`;
        x += run;
      }
      return fill(`${ridge}V1200Z`, tone);
    })
    .join('');
};

const hills: Land = (tones, chance) => {
  return tones(5)
    .map((tone, row) => {
      const y = 720 + row * 104;
      const swell = chance.between(70, 130) * (row % 2 === 0 ? 1 : -1);
      return fill(
        d`M0 ${y}C${230} ${y - swell * 1.5} ${500} ${y + swell * 1.5} 800 ${y - swell * 0.3}V1200H0Z`,
        tone,
      );
    })
    .join('');
};

const [titleTop, radius] = [78, 172];

function scene(land: Land, air: (palette: Palette) => Air, lowest: number): Design {
  return (text, palette, chance) => {
    const { sky, light, far, near } = air(palette);
    const tones = (count: number) => Array.from({ length: count }, (_, i) => mix(far, near, i / (count - 1)));
    const titling = skyline(text);
    const below = titleTop + titling.height + titling.credit.under + 48;
    return (
      ground(sky) +
      circle(chance.pick([250, 400, 550]), Math.max(below + radius, lowest), radius, light) +
      land(tones, chance) +
      printTitling(titling, 400, titleTop, 'centre', legibleOn(sky, palette))
    );
  };
}

export const seaScene = scene(waves, day, 640);
export const mountainScene = scene(mountains, day, 560);
export const hillScene = scene(hills, day, 620);
export const nightSea = scene(waves, night, 640);
export const nightMountains = scene(mountains, night, 520);
