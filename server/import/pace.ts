/** @returns a function that tells how fast an import is since now, and how long the rest takes where the length is known. */
export function openPace(totalBytes: number | undefined) {
  const startedAt = performance.now();
  return ({ bytes, rows }: { bytes: number; rows: number }) => {
    const seconds = (performance.now() - startedAt) / 1000;
    return {
      rowsPerSecond: seconds > 0 ? Math.round(rows / seconds) : 0,
      secondsLeft:
        totalBytes && bytes ? Math.ceil((seconds / bytes) * Math.max(0, totalBytes - bytes)) : undefined,
    };
  };
}
