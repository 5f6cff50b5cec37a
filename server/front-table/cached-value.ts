/**
 * Caches a value that costs too much to read each time, and may be some minutes old.
 * @param load simultaneous calls share one.
 * @returns a function that gives the value, loaded again when it is older than `lifetimeMs`. When that fails, it gives the old one;
 * without one, it throws what `load` throws.
 */
export function cachedFor<Value>(lifetimeMs: number, load: () => Promise<Value>): () => Promise<Value> {
  let cached: { value: Value; loadedAt: number } | undefined;
  let loading: Promise<Value> | undefined;
  const reload = (): Promise<Value> => {
    loading ??= load()
      .then((value) => {
        cached = { value, loadedAt: performance.now() };
        return value;
      })
      .finally(() => {
        loading = undefined;
      });
    return loading;
  };
  return async () => {
    if (!cached) return await reload();
    const { value, loadedAt } = cached;
    return performance.now() - loadedAt < lifetimeMs ? value : await reload().catch(() => value);
  };
}
