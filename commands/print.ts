/** How commands write what they found. */

import { maxPageSize } from '../contract/next-page.ts';
import type { Io } from './command.ts';

/** Titles of older versions may have control characters, and a terminal would obey them. */
export const printable = (text: string): string => text.replace(/\p{Cc}/gu, '\ufffd');

/** @returns the number with commas, such as `1,000,000`. */
export const grouped = (count: number): string => count.toLocaleString('en-GB');

/** @returns a line of columns. */
export const lineOf = (columns: readonly string[]): string => `${columns.map(printable).join('  ')}\n`;

export const printJson = ({ stdout }: Pick<Io, 'stdout'>, value: unknown): void => {
  stdout.write(`${JSON.stringify(value)}\n`);
};

/**
 * Says on standard error that a list is empty, or cut at its limit. In a terminal an empty output looks like a failure, and 50 lines look
 * like the whole list.
 * @param whenEmpty such as `No order matches.`
 * @param isCut true: there are more items than `--limit`.
 */
function reportList({ stderr }: Io, listed: number, isCut: boolean, whenEmpty: string): void {
  if (listed === 0) stderr.write(`${whenEmpty}\n`);
  if (isCut) stderr.write(`There are more: --limit lists more than ${grouped(listed)}.\n`);
}

type Pages<Item> = {
  json: boolean;
  limit: number;
  /** A line above the items, without `--json`. */
  head?: readonly string[] | undefined;
  /** @returns the line of an item, without `--json`. */
  lineOf(item: Item): string;
  whenEmpty: string;
  /** @returns a page of at most `limit` items. It may be short, or empty, although another one follows. */
  fetch(page: {
    limit: number;
    cursor: string | number | undefined;
  }): Promise<{ items: readonly Item[]; nextCursor: string | number | undefined }>;
};

/** Prints a list while its pages arrive: a line for each item, or one JSON array. */
export async function printPages<Item>(
  io: Io,
  { json, limit, head, lineOf: line, whenEmpty, fetch }: Pages<Item>,
): Promise<void> {
  let listed = 0;
  let isCut = false;
  let cursor: string | number | undefined;
  do {
    const left = limit - listed;
    // One more shows whether the list is cut.
    const page = await fetch({ limit: Math.min(left + 1, maxPageSize), cursor });
    for (const item of page.items.slice(0, left)) {
      const separator = listed === 0 ? '[' : ',\n';
      if (head && !json && listed === 0) io.stdout.write(lineOf(head));
      io.stdout.write(json ? separator + JSON.stringify(item) : line(item));
      listed += 1;
    }
    isCut = page.items.length > left;
    cursor = page.nextCursor;
  } while (cursor !== undefined && !isCut);
  if (json) io.stdout.write(listed === 0 ? '[]\n' : ']\n');
  else reportList(io, listed, isCut, whenEmpty);
}
