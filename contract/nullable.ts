/** Parts of several schemas of the desk. */

import { Type } from 'typebox';

/** A text, or null. */
export const Nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

/** A point in time. */
export const Time = (description: string) => Type.String({ description: `${description} ISO 8601, UTC.` });

/** A point in time, or null. */
export const NullableTime = (description: string) => Type.Union([Time(description), Type.Null()]);
