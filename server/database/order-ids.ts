/**
 * The ids of orders. One begins with the milliseconds at which it was made (UUIDv7: RFC 9562, section 5.7), so the orders of a
 * day are a range of ids, and no index of times is needed. `placed_at` is that very time: `placeOrder` reads it from the id.
 * In orders of older versions it is up to some milliseconds later, because they asked the clock twice.
 */

/** @returns the milliseconds since 1970 at which an id was made. */
export const timeOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

/** @returns a text that comes after every id that was made before `time`, and not after any other id. */
export function firstIdAt(time: number): string {
  const digits = Math.max(time, 0).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}
