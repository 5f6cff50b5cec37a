/** The shop's account at a bank, and the files that its owner saves: CSV, or CAMT.053, which has the bank's ids. */

/** `reference`: empty if the buyer has forgotten it. `cents`: below 0 for a reversal. `bookedAt`: it is pending until then. */
export type Entry = { reference: string; cents: number; bookedAt: number };

export const dayOf = ({ bookedAt }: Pick<Entry, 'bookedAt'>) => new Date(bookedAt).toISOString().slice(0, 10);
export const textOf = ({ reference }: Entry): string => (reference ? `Order ${reference}` : 'THANK YOU');

/** @returns a file of the days from `since` on, in base64. */
export function fileOf(bank: readonly Entry[], since: number, isCamt: boolean): string {
  const heads = 'Booking date;Reference;Amount;Currency;State;Type\n';
  const camt = '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">';
  const rows = bank.map((entry, id) => {
    const { cents, bookedAt } = entry;
    const [day, text, isBack, isBooked] = [dayOf(entry), textOf(entry), cents < 0, bookedAt <= Date.now()];
    if (day < dayOf({ bookedAt: since })) return '';
    if (!isCamt)
      return `${day};${text};${cents / 100};USD;${isBooked ? 'Booked' : 'Pending'};${isBack ? 'Reversal' : ''}\n`;
    return `<Ntry><Amt Ccy="USD">${Math.abs(cents) / 100}</Amt><CdtDbtInd>${isBack ? 'DBIT' : 'CRDT'}</CdtDbtInd>
<RvslInd>${isBack}</RvslInd><Sts><Cd>${isBooked ? 'BOOK' : 'PDNG'}</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt>
<AcctSvcrRef>B${id}</AcctSvcrRef><NtryDtls><TxDtls><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`;
  });
  const file = isCamt ? `${camt}${rows.join('')}</Document>` : heads + rows.join('');
  return Buffer.from(file).toString('base64');
}
