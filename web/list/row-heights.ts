/** The heights of a list's rows: measured where a row has been on the screen, assumed elsewhere. */

/** In rows; `end` is excluded. */
export type Rows = { start: number; end: number };

export type RowHeights = {
  /** @param keys of all rows, in their order. A height stays with its key. */
  setRows: (keys: readonly string[]) => void;
  /**
   * @param heightsPx by row, each with the gap below it.
   * @returns whether the height that other rows are assumed to have has changed.
   */
  measure: (heightsPx: ReadonlyMap<number, number>) => boolean;
  /** Forgets what was measured: the rows have another layout. */
  clear: () => void;
  /** @returns the distance from the list's top to the row's, in pixels. */
  offsetOf: (row: number) => number;
  /** @returns the rows that are between two distances from the list's top, at least one if there are any. */
  rowsBetween: (topPx: number, bottomPx: number) => Rows;
};

/** @param guessPx a row's height as long as none is measured. Then it is the mean of those that were measured first. */
export const createRowHeights = (guessPx: number): RowHeights => {
  const measured = new Map<string, number>();
  let keys: readonly string[] = [];
  let assumedPx = guessPx;
  /** By row; undefined where it is assumed. */
  let heights: (number | undefined)[] = [];
  /** The first ones are right, as many as `knownOffsets` says. */
  const offsets = [0];
  let knownOffsets = 1;

  const offsetOf = (row: number): number => {
    for (; knownOffsets <= row; knownOffsets += 1) {
      const above = knownOffsets - 1;
      offsets[knownOffsets] = (offsets[above] ?? 0) + (heights[above] ?? assumedPx);
    }
    return offsets[row] ?? 0;
  };

  /** @returns the row that is at a distance from the list's top. */
  const rowAt = (px: number): number => {
    let low = 0;
    let high = Math.max(0, keys.length - 1);
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (offsetOf(middle) <= px) low = middle;
      else high = middle - 1;
    }
    return low;
  };

  return {
    setRows: (newKeys) => {
      if (newKeys === keys) return;
      keys = newKeys;
      heights = keys.map((key) => measured.get(key));
      knownOffsets = 1;
    },
    measure: (heightsPx) => {
      const isFirst = measured.size === 0 && heightsPx.size > 0;
      if (isFirst) {
        assumedPx = [...heightsPx.values()].reduce((sum, px) => sum + px, 0) / heightsPx.size;
        knownOffsets = 1;
      }
      for (const [row, px] of heightsPx) {
        const key = keys[row];
        if (key === undefined || heights[row] === px) continue;
        measured.set(key, px);
        heights[row] = px;
        knownOffsets = Math.min(knownOffsets, row + 1);
      }
      return isFirst;
    },
    clear: () => {
      measured.clear();
      heights = [];
      knownOffsets = 1;
    },
    offsetOf,
    rowsBetween: (topPx, bottomPx) =>
      keys.length === 0 ? { start: 0, end: 0 } : { start: rowAt(topPx), end: rowAt(bottomPx) + 1 },
  };
};

/** @returns the rows without those that the list does not have. */
export const clipRows = ({ start, end }: Rows, count: number): Rows => ({
  start: Math.min(Math.max(0, start), count),
  end: Math.min(Math.max(0, end), count),
});

/** @returns this many rows, with those in the middle, moved into the list at its ends. */
export const rowsAround = (middle: Rows, size: number, count: number): Rows => {
  const above = Math.ceil((size - (middle.end - middle.start)) / 2);
  const start = Math.max(0, Math.min(middle.start - above, count - size));
  return clipRows({ start, end: Math.max(start + size, middle.end) }, count);
};

/** @returns the same rows, in order, each once. */
export const mergeRows = (ranges: readonly Rows[]): Rows[] => {
  const merged: Rows[] = [];
  for (const range of ranges.filter(({ start, end }) => start < end).sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && range.start <= last.end) last.end = Math.max(last.end, range.end);
    else merged.push({ ...range });
  }
  return merged;
};

export const hasRows = (rows: Rows, others: Rows): boolean =>
  rows.start <= others.start && others.end <= rows.end;
