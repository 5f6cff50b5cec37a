/** Titles of older versions may have control characters, and a terminal would obey them. */
export const printable = (text: string): string => text.replace(/\p{Cc}/gu, '\ufffd');
