import type { Chance } from './chance.ts';
import type { CoverText } from './cover-text.ts';
import type { Palette } from './palettes.ts';

/** A design sets a text in a palette's colours and answers the SVG elements of the sheet, from the ground up. */
export type Design = (text: CoverText, palette: Palette, chance: Chance) => string;
