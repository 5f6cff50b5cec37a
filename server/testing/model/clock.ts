/** The clock of the store in this process. It stands still until it is set again, so the time in each answer is known. */

const RealDate = globalThis.Date;
let now = 0;

class StandingDate extends RealDate {
  constructor(...given: unknown[]) {
    // The cast is right: they are arguments of a Date.
    super(...((given.length === 0 ? [now] : given) as [number]));
  }
  static override now(): number {
    return now;
  }
}

/** @param time in milliseconds since 1970; undefined: the real clock again. */
export function setClock(time: number | undefined): void {
  if (time !== undefined) now = time;
  globalThis.Date = time === undefined ? RealDate : (StandingDate as DateConstructor);
}
