/**
 * @returns the e-mail in the form that is compared: ASCII letters in lower case, all others as they are. `toLowerCase`
 * would make other letters equal to ASCII ones: U+212A, the Kelvin sign, becomes k, and another person's address an admin's.
 */
export const foldEmail = (email: string): string => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
