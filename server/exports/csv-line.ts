/** RFC 4180, with an apostrophe before what a spreadsheet would compute (OWASP, "CSV Injection"), also behind semicolons, tabs and line breaks. */

const cellStart = '(^|[;\\t\\r\\n])';
// The last four characters are the wide forms; some spreadsheets skip spaces or quotes before them.
const formula = '(?:[^\\S\\t\\r\\n]|")*[=+\\-@＝＋－＠]';
/** An apostrophe also escapes text that looks escaped, so that {@link unescapeCell} restores every text. */
const toEscape = new RegExp(`${cellStart}(?='?${formula}|'')`, 'g');
const escaped = new RegExp(`${cellStart}'(?=${formula}|')`, 'g');

export const csvLine = (cells: readonly string[]): string =>
  `${cells
    .map((cell) => cell.replace(toEscape, "$1'"))
    .map((cell) => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',')}\r\n`;

export const unescapeCell = (cell: string): string => cell.replace(escaped, '$1');
