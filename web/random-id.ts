/** A version 4 UUID, also where the page is served over plain http and `crypto.randomUUID` is missing. */
export const randomId = (): string =>
  crypto.randomUUID?.() ?? uuidFrom(crypto.getRandomValues(new Uint8Array(16)));

/** The version 4 UUID made of sixteen random bytes (RFC 9562, section 5.4). */
export const uuidFrom = (bytes: Uint8Array): string => {
  const stamped = Uint8Array.from(bytes);
  stamped[6] = ((stamped[6] ?? 0) & 0x0f) | 0x40;
  stamped[8] = ((stamped[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(stamped, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};
