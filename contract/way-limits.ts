/** This file has no schemas, because the browser loads it. */

export const maxWayName = 60;
export const maxWayLine = 200;
