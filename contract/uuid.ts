/** @returns true if a text is an id that the store has made, as RFC 9562 writes it. Ids of imported books may be any text. */
export const isUuid = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
