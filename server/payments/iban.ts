/** The countries that have IBANs, with the length of theirs: SWIFT's registry of IBANs. */
const lengths: ReadonlyMap<string, number> = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 ' +
    'FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 ' +
    'LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 ' +
    'SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** @param iban in capitals, without spaces. @returns what is wrong with it (ISO 13616), to follow a name; undefined for nothing. */
export function ibanFault(iban: string): string | undefined {
  const country = iban.slice(0, 2);
  const length = lengths.get(country);
  if (length === undefined) return 'does not begin with the code of a country that has IBANs';
  if (iban.length !== length) return `has ${iban.length} characters, and an IBAN of ${country} has ${length}`;
  const turned = iban.slice(4) + iban.slice(0, 4);
  // A digit stands for itself, and a letter for 10 to 35.
  const digits = turned.replace(/[A-Z]/g, (letter) => String(Number.parseInt(letter, 36)));
  const isRight = /^\d+$/.test(digits) && BigInt(digits) % 97n === 1n;
  return isRight ? undefined : 'has a typing mistake: its check digits do not fit';
}
