/** The colours of the covers. */

/** Colours as #rrggbb. */
export type Palette = {
  /** The colour of the boards. */
  board: string;
  /** The dark colour of text on paper. */
  ink: string;
  /** The second colour; it differs clearly from board and paper. */
  accent: string;
  paper: string;
};

export const palettes = {
  oxblood: { board: '#76202b', ink: '#2b1114', accent: '#d8a54a', paper: '#f5ebd9' },
  prussian: { board: '#17375e', ink: '#10213a', accent: '#e27a5c', paper: '#f4eee1' },
  midnight: { board: '#14294d', ink: '#0e1b33', accent: '#dab65f', paper: '#f5eedc' },
  bottle: { board: '#1e4c3d', ink: '#132f27', accent: '#dcb55f', paper: '#f3eddb' },
  vermilion: { board: '#cf432c', ink: '#241917', accent: '#f3c252', paper: '#f8f0e1' },
  mustard: { board: '#e2ab34', ink: '#2c2118', accent: '#a83a26', paper: '#f9f2df' },
  indigo: { board: '#2c3272', ink: '#191c42', accent: '#eab4a0', paper: '#f3eee6' },
  sage: { board: '#a8b999', ink: '#243025', accent: '#bf553b', paper: '#f6f1e2' },
  rose: { board: '#e0a59b', ink: '#3c1a21', accent: '#7f2439', paper: '#fbf2e8' },
  teal: { board: '#1b666e', ink: '#0d2e33', accent: '#f1aa6b', paper: '#f4f0e4' },
  black: { board: '#1d1b1c', ink: '#1d1b1c', accent: '#cba654', paper: '#f0e8d7' },
  sky: { board: '#93bad0', ink: '#1a2a3e', accent: '#d2563c', paper: '#f7f2e7' },
  plum: { board: '#4c2a4f', ink: '#2a162d', accent: '#e2a49c', paper: '#f4ebe0' },
  terracotta: { board: '#ad5633', ink: '#2e1a12', accent: '#1f4c52', paper: '#f7eddc' },
  linen: { board: '#e9ddc5', ink: '#2a2622', accent: '#b33b2f', paper: '#fbf6eb' },
  cobalt: { board: '#204fae', ink: '#111d3c', accent: '#f5c84a', paper: '#f5f1e7' },
} as const satisfies Record<string, Palette>;

export type PaletteName = keyof typeof palettes;

function channels(colour: string): [number, number, number] {
  const value = Number.parseInt(colour.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** @returns a mixture of two colours: the first for `share` 0, the second for 1. */
export function mix(first: string, second: string, share: number): string {
  const to = channels(second);
  const mixed = channels(first).map((value, i) => Math.round(value + ((to[i] ?? value) - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** WCAG 2 relative luminance, 0 to 1. */
function luminance(colour: string): number {
  const [red, green, blue] = channels(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

/** WCAG 2 contrast ratio, 1 to 21. */
export function contrast(first: string, second: string): number {
  const [dark, light] = [luminance(first), luminance(second)].sort((a, b) => a - b);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

/** @returns ink or paper, the one with more contrast on `ground`. */
export function legibleOn(ground: string, palette: Palette): string {
  return contrast(ground, palette.paper) >= contrast(ground, palette.ink) ? palette.paper : palette.ink;
}
