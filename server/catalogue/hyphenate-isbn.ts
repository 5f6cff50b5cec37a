/** The hyphens of an ISBN follow from the blocks of numbers that the ISBN agencies have given out. */

/** The first and the last number of each block of registrants, by group (978-0 is English). `npm --prefix lab run isbn` writes the table. */
import blocksOfGroups from './isbn-blocks.json' with { type: 'json' };

const groups = new Map(Object.entries(blocksOfGroups));
const longestGroup = 5;

/** @returns 978-0-14-143958-7; with the first hyphen alone where the block is not known. */
export function hyphenateIsbn(isbn: string): string {
  const [prefix, rest] = [isbn.slice(0, 3), isbn.slice(3)];
  for (let length = 1; length <= longestGroup; length += 1) {
    const group = rest.slice(0, length);
    const blocks = groups.get(`${prefix}-${group}`) ?? '';
    for (const block of blocks.split(' ')) {
      const [first = '', last = first] = block.split('-');
      const registrant = rest.slice(length, length + first.length);
      if (first === '' || registrant < first || registrant > last) continue;
      const publication = rest.slice(length + first.length, -1);
      return [prefix, group, registrant, publication, rest.slice(-1)].join('-');
    }
  }
  return `${prefix}-${rest}`;
}
