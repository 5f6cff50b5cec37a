/** How fast an import is. */
type Pace = {
  rowsPerSecond: number;
  /** Undefined at the start, and for a file of unknown length. */
  secondsLeft: number | undefined;
};

/**
 * @param totalBytes of the file; undefined if that is not known.
 * @returns a function that computes the pace since it was made.
 */
export function openPace(totalBytes: number | undefined): (done: { bytes: number; rows: number }) => Pace {
  const startedAt = performance.now();
  return ({ bytes, rows }) => {
    const seconds = (performance.now() - startedAt) / 1000;
    return {
      rowsPerSecond: seconds > 0 ? Math.round(rows / seconds) : 0,
      secondsLeft:
        totalBytes === undefined || bytes === 0
          ? undefined
          : Math.ceil((seconds / bytes) * Math.max(0, totalBytes - bytes)),
    };
  };
}
