import type { Chance } from './chance.ts';
import type { CoverText } from './cover-text.ts';
import type { Palette } from './palettes.ts';

/** Draws a text in a palette's colours. It returns SVG elements that fill a sheet of 800 by 1200. */
export type Design = (text: CoverText, palette: Palette, chance: Chance) => string;
