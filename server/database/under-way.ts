/**
 * Counts what is under way, and forgets what takes long. A Set that changes with each request moves to another table again and again, and a
 * table among V8's old objects keeps all later ones, with what they had, until the next full collection of garbage
 * (docs/decisions/0059). Here each names its neighbours until it ends.
 */
export class UnderWay {
  #oldest: Begun | undefined;
  #newest: Begun | undefined;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** When the last one began that counts; minus infinity if there is none. */
  get newest(): number {
    return this.#newest?.beganAt ?? Number.NEGATIVE_INFINITY;
  }

  /** @param now in milliseconds, of a clock that never goes back. @returns what {@link end} needs. */
  begin(now: number): Begun {
    const begun: Begun = { beganAt: now, previous: this.#newest, next: undefined, counts: true };
    if (this.#newest) this.#newest.next = begun;
    else this.#oldest = begun;
    this.#newest = begun;
    this.#count += 1;
    return begun;
  }

  end(begun: Begun): void {
    if (!begun.counts) return;
    const { previous, next } = begun;
    if (previous) previous.next = next;
    else this.#oldest = next;
    if (next) next.previous = previous;
    else this.#newest = previous;
    begun.counts = false;
    // An old object would keep what it names.
    begun.previous = undefined;
    begun.next = undefined;
    this.#count -= 1;
  }

  /** Those that began at this time or before count no more. They may end later. */
  forgetUntil(time: number): void {
    while (this.#oldest && this.#oldest.beganAt <= time) this.end(this.#oldest);
  }
}

type Begun = {
  readonly beganAt: number;
  previous: Begun | undefined;
  next: Begun | undefined;
  counts: boolean;
};
