/** @returns the IBAN in groups of four, as people read it. */
export const groupIban = (iban: string): string => iban.replace(/(.{4})(?=.)/g, '$1 ');
