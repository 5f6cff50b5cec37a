/** Counts mistakes by optimal string alignment: a missing, superfluous or wrong letter, or two swapped letters, is one mistake. */
export function countMistakes(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isOther = one[row - 1] === other[column - 1] ? 0 : 1;
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + isOther,
        row > 1 && column > 1 && isSwapped
          ? (beforeLast[column - 2] ?? 0) + isOther
          : Number.POSITIVE_INFINITY,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last[other.length] ?? 0;
}

/** The fewest letters of the longer word for one mistake, and for two. */
const oneMistakeLength = 5;
const twoMistakesLength = 9;

export const mistakesIn = (length: number) =>
  length >= twoMistakesLength ? 2 : length >= oneMistakeLength ? 1 : 0;

export function mistakesBetween(one: string, other: string): number | undefined {
  const most = mistakesIn(Math.max(one.length, other.length));
  if (Math.abs(one.length - other.length) > most) return undefined;
  const mistakes = countMistakes(one, other);
  return mistakes <= most ? mistakes : undefined;
}
