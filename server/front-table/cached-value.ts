/** Simultaneous calls share one `load`. When it fails, the old value is given, or its error where there is none. */
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
