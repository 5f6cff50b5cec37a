/** The longest note, in characters. The browser loads this file, so it has no schemas. */
export const maxNoteLength = 1000;
