/**
 * Holds a value that costs too much to read each time, and may be some minutes old.
 * @param load simultaneous calls share one.
 * @returns a function that gives the value: the first call waits for it; a later one gets the last value at once, and has it
 * loaded again if it is older than `heldMs`. Throws what the first load throws.
 */
export function heldFor<Value>(heldMs: number, load: () => Promise<Value>): () => Promise<Value> {
  let held: { value: Value; loadedAt: number } | undefined;
  let loading: Promise<Value> | undefined;
  const reload = (): Promise<Value> => {
    loading ??= load()
      .then((value) => {
        held = { value, loadedAt: performance.now() };
        return value;
      })
      .finally(() => {
        loading = undefined;
      });
    return loading;
  };
  return async () => {
    if (!held) return await reload();
    // The value that is there stays when it cannot be loaded.
    if (performance.now() - held.loadedAt >= heldMs) reload().catch(() => {});
    return held.value;
  };
}
