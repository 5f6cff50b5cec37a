/** A map for what clients cause to be remembered: it forgets instead of filling the memory. */

type Bounds<Value> = {
  maxEntries: number;
  maxBytes?: number;
  /** @returns how much memory a value takes at most. */
  bytesOf?: (value: Value) => number;
};

/** A new entry removes those that were set longest ago, until all are within the bounds. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #bounds: Required<Bounds<Value>>;
  #bytes = 0;

  constructor({ maxEntries, maxBytes = Number.POSITIVE_INFINITY, bytesOf = () => 0 }: Bounds<Value>) {
    super();
    this.#bounds = { maxEntries, maxBytes, bytesOf };
  }

  /** An entry that is set again becomes the newest. */
  override set(key: Key, value: Value): this {
    this.delete(key);
    const { maxEntries, maxBytes, bytesOf } = this.#bounds;
    this.#bytes += bytesOf(value);
    for (const oldest of this.keys()) {
      if (this.size < maxEntries && this.#bytes <= maxBytes) break;
      this.delete(oldest);
    }
    return super.set(key, value);
  }

  override delete(key: Key): boolean {
    const value = this.get(key);
    if (value !== undefined) this.#bytes -= this.#bounds.bytesOf(value);
    return super.delete(key);
  }

  override clear(): void {
    this.#bytes = 0;
    super.clear();
  }
}
