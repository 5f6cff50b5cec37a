/** Reads the size of a PNG from the header of its first chunk (PNG, third edition, section 11.2.1). */
const widthOf = (png: Buffer): number => png.readUInt32BE(16);

/** @returns an `.ico` file of these square PNGs: a header, an entry of 16 bytes for each, and the PNGs as they are. */
export function iconFile(pngs: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(6 + 16 * pngs.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(pngs.length, 4);
  let offset = header.length;
  for (const [index, png] of pngs.entries()) {
    const entry = 6 + 16 * index;
    // Width and height are a byte each, where 0 is 256.
    header.writeUInt8(widthOf(png) % 256, entry);
    header.writeUInt8(widthOf(png) % 256, entry + 1);
    header.writeUInt16LE(1, entry + 4);
    header.writeUInt16LE(32, entry + 6);
    header.writeUInt32LE(png.length, entry + 8);
    header.writeUInt32LE(offset, entry + 12);
    offset += png.length;
  }
  return Buffer.concat([header, ...pngs]);
}
