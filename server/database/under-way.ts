/**
 * What is under way, by when it began. A Set would do, but not for what comes and goes with each request: it moves to another table again
 * and again, and once it is among V8's old objects each earlier table is kept, with all that it had, until the next full collection of
 * garbage (docs/decisions/0059). Here each takes a place, which is used again.
 */
export class UnderWay {
  /** By place; {@link none} for one that has ended, or counts no more. */
  readonly #beganAt: number[] = [];
  readonly #free: number[] = [];
  #count = 0;

  /** How many count. */
  get count(): number {
    return this.#count;
  }

  /** @param now in milliseconds, of any clock. @returns the place, for {@link end}. */
  begin(now: number): number {
    const place = this.#free.pop() ?? this.#beganAt.length;
    this.#beganAt[place] = now;
    this.#count += 1;
    return place;
  }

  /** Call it once for each place. */
  end(place: number): void {
    this.#uncount(place);
    this.#free.push(place);
  }

  /** Those that began at this time or before count no more. They may end later. */
  forgetUntil(time: number): void {
    for (let place = 0; place < this.#beganAt.length; place += 1) {
      if ((this.#beganAt[place] ?? none) <= time) this.#uncount(place);
    }
  }

  /** When the last one that counts began; minus infinity if there is none. */
  get newest(): number {
    return Math.max(none, ...this.#beganAt);
  }

  #uncount(place: number): void {
    if (this.#beganAt[place] === none) return;
    this.#beganAt[place] = none;
    this.#count -= 1;
  }
}

const none = Number.NEGATIVE_INFINITY;
