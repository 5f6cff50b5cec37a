/** Folds only ASCII: `toLowerCase` would turn U+212A, the Kelvin sign, into a k, and another person's address into an admin's. */
export const foldEmail = (email: string): string => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Characters with a meaning in a mail header are excluded (RFC 5322, section 3.2.3): mail to `<bob@x.example` would go to `bob@x.example`. */
export const isPlainEmail = (text: string): boolean =>
  /^[^\s\p{Cc}@<>(),;:\\"[\]]+@[^\s\p{Cc}@<>(),;:\\"[\]]+$/u.test(text);
