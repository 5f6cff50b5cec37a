// opentype.js 2.0 has no types. These are the types of what the covers use.
declare module 'opentype.js' {
  export type PathCommand =
    | { type: 'M'; x: number; y: number }
    | { type: 'L'; x: number; y: number }
    | { type: 'Q'; x1: number; y1: number; x: number; y: number }
    | { type: 'C'; x1: number; y1: number; x2: number; y2: number; x: number; y: number }
    | { type: 'Z' };
  export type BoundingBox = { x1: number; y1: number; x2: number; y2: number };
  export type Glyph = {
    index: number;
    advanceWidth?: number;
    path: { commands: readonly PathCommand[] };
    getBoundingBox(): BoundingBox;
  };
  export type Font = {
    unitsPerEm: number;
    tables: { os2: { sCapHeight: number } };
    charToGlyph(character: string): Glyph;
    getKerningValue(left: Glyph, right: Glyph): number;
  };
  const opentype: { parse(bytes: ArrayBuffer): Font };
  // biome-ignore lint/style/noDefaultExport: the package is CommonJS, and Node gives all of it as the default export.
  export default opentype;
}
