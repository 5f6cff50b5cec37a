/**
 * @param cells as a spreadsheet may compute them: the caller escapes formulas.
 * @returns a line of RFC 4180. Where a comma is the decimal point, a spreadsheet begins a new cell, and perhaps a formula, at a
 * semicolon.
 */
export const csvLine = (cells: readonly string[]): string =>
  `${cells
    .map((cell) => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',')}\r\n`;
