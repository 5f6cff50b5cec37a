/**
 * The cells of the catalogue's CSV file. A spreadsheet computes a cell that begins like a formula, and a formula can send
 * what stands beside it to another machine. Such a cell is written with an apostrophe before it, which spreadsheets take for
 * text, and is read without it.
 */

/** The columns, in the order in which the export writes them. */
export const csvColumns = ['id', 'title', 'author', 'price', 'image', 'keywords'] as const;
export type CsvColumn = (typeof csvColumns)[number];

/** The last four are the wide forms, which spreadsheets take for the same. */
const formulaStart = '=+\\-@\\t\\r＝＋－＠';
const isFormula = new RegExp(`^[${formulaStart}]`);
/** Also text that begins like an escaped cell, so that reading gives back what was written. */
const looksEscaped = new RegExp(`^'['${formulaStart}]`);

/** @returns the text as a cell. */
export const escapeCell = (text: string): string =>
  isFormula.test(text) || looksEscaped.test(text) ? `'${text}` : text;

/** @returns the text of a cell. */
export const unescapeCell = (cell: string): string => (looksEscaped.test(cell) ? cell.slice(1) : cell);
