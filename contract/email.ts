/** `toLowerCase` would make U+212A, the Kelvin sign, a k, and another person's address an admin's. */
export const foldEmail = (email: string): string => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Without what means something else in a header (RFC 5322, section 3.2.3): mail to `<bob@x.example` would go to `bob@x.example`. */
export const isPlainEmail = (text: string): boolean =>
  /^[^\s\p{Cc}@<>(),;:\\"[\]]+@[^\s\p{Cc}@<>(),;:\\"[\]]+$/u.test(text);
