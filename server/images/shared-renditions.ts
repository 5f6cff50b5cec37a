/** @returns the file of a rendition; undefined when it is not stored. */
type Find<Key extends unknown[]> = (...key: Key) => Promise<Uint8Array | undefined>;

/**
 * Shares the memory of a file between all requests for it: with one copy for each, 300 clients that did not read their
 * response to the end kept a gigabyte.
 * @returns as `find`, which is not called while the same file is being found, or is still in use.
 */
export function shareFiles<Key extends (string | number)[]>(find: Find<Key>): Find<Key> {
  const underWay = new Map<string, Promise<Uint8Array | undefined>>();
  // The memory itself, and not a view of it: a socket that is sending a file has views of its own.
  const inUse = new Map<string, { memory: WeakRef<ArrayBufferLike>; offset: number; length: number }>();
  const freed = new FinalizationRegistry<string>((name) => {
    // Meanwhile it may have been found again.
    if (!inUse.get(name)?.memory.deref()) inUse.delete(name);
  });

  const load = async (name: string, key: Key): Promise<Uint8Array | undefined> => {
    const bytes = await find(...key);
    if (bytes) {
      inUse.set(name, {
        memory: new WeakRef(bytes.buffer),
        offset: bytes.byteOffset,
        length: bytes.length,
      });
      freed.register(bytes.buffer, name);
    }
    return bytes;
  };

  return async (...key) => {
    const name = key.join();
    const shared = inUse.get(name);
    const memory = shared?.memory.deref();
    if (shared && memory) return new Uint8Array(memory, shared.offset, shared.length);
    const loading = underWay.get(name) ?? load(name, key).finally(() => underWay.delete(name));
    underWay.set(name, loading);
    return await loading;
  };
}
