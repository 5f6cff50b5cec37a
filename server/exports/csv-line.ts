/** RFC 4180, with an apostrophe before what a spreadsheet would compute (OWASP, "CSV Injection"), also behind semicolons, tabs and line breaks. */

const cellStart = '(^|[;\\t\\r\\n])';
// The last four are the wide forms; some skip spaces or quotes before it.
const formula = '(?:[^\\S\\t\\r\\n]|")*[=+\\-@＝＋－＠]';
/** Also before what looks escaped, so that {@link unescapeCell} gives back every text. */
const toEscape = new RegExp(`${cellStart}(?='?${formula}|'')`, 'g');
const escaped = new RegExp(`${cellStart}'(?=${formula}|')`, 'g');

export const csvLine = (cells: readonly string[]): string =>
  `${cells
    .map((cell) => cell.replace(toEscape, "$1'"))
    .map((cell) => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',')}\r\n`;

export const unescapeCell = (cell: string): string => cell.replace(escaped, '$1');
