/**
 * Picks the colour of the placeholder for a book without a cover.
 * @returns a number from 0 to `count - 1`: always the same for the same title, and evenly spread over titles (FNV-1a).
 */
export const placeholderColour = (title: string, count: number): number => {
  let hash = 0x811c9dc5;
  for (const character of title) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash % count;
};
