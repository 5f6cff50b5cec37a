export const cachedForAMinute = 'public, max-age=60';
export const cachedForADay = 'public, max-age=86400';
/** For an address whose file never changes. */
export const cachedForAYear = 'public, max-age=31536000, immutable';
