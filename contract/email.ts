/**
 * For comparing. `toLowerCase` would make other letters equal to ASCII ones: U+212A, the Kelvin sign, becomes k, and another person's
 * address an admin's.
 */
export const foldEmail = (email: string): string => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/**
 * An address that every mail program reads alike has no characters that mean something else in a header (RFC 5322, section 3.2.3): a
 * mail to `<bob@x.example` would go to `bob@x.example`.
 */
export const isPlainEmail = (text: string): boolean =>
  /^[^\s\p{Cc}@<>(),;:\\"[\]]+@[^\s\p{Cc}@<>(),;:\\"[\]]+$/u.test(text);
