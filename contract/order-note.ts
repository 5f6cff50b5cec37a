/** In characters. Without schemas: the browser loads it. */
export const maxNoteLength = 1000;
