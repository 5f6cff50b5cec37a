/**
 * Holds a value that costs too much to read each time, and may be some minutes old.
 * @param load simultaneous calls share one.
 * @returns a function that gives the value, loaded again when it is older than `heldMs`. When that fails, it gives the old one;
 * without one, it throws what `load` throws.
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
    const { value, loadedAt } = held;
    return performance.now() - loadedAt < heldMs ? value : await reload().catch(() => value);
  };
}
