/**
 * Lines of CSV (RFC 4180), with an apostrophe before what a spreadsheet would compute: a formula can send what stands beside it to
 * another machine (OWASP, "CSV Injection"), and after an apostrophe it is text.
 *
 * A spreadsheet that takes semicolons or tabs for delimiters begins one after each of them, and after a line break:
 * a quote that is not at the start of its cell is a letter to it.
 */

const cellStart = '(^|[;\\t\\r\\n])';
/** The last four are the wide forms, which some take for the same; some skip spaces or quotes before it. */
const formula = '(?:[^\\S\\t\\r\\n]|")*[=+\\-@＝＋－＠]';
/** Also before what looks escaped, so that {@link unescapeCell} gives back every text. */
const toEscape = new RegExp(`${cellStart}(?='?${formula}|'')`, 'g');
const escaped = new RegExp(`${cellStart}'(?=${formula}|')`, 'g');

/** @returns a line without a cell that a spreadsheet computes. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells
    .map((cell) => cell.replace(toEscape, "$1'"))
    .map((cell) => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',')}\r\n`;

/** @returns the text of a cell that {@link csvLine} has written. */
export const unescapeCell = (cell: string): string => cell.replace(escaped, '$1');
