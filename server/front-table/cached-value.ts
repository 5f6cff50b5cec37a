/** A cached value: simultaneous calls share one `load`. When the load fails, calls get the old value, or the error if there is none. */
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
