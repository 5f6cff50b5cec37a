import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { tidyValue } from '../../../contract/pasted-text.ts';
import { type BankEntry, chunksOf, unreadable } from './bank-entry.ts';

/** The heads of columns, in German and English, without what follows in brackets: an earlier one comes first. */
const heads = {
  day: 'Buchungstag,Buchungsdatum,Buchung,Booking date,Completed date,Date completed,Finished on,Date,Datum',
  amount: 'Betrag,Amount,Umsatz,Umsatz in EUR,Haben,Gutschrift,Credit,Money in,Paid in',
  currency: 'Währung,Waehrung,Currency,Payment currency',
  state: 'Status,State,Info',
  type: 'Buchungstext,Umsatztyp,Umsatzart,Transaction type,Type,Typ',
};
/** Parts of the heads of texts, of which a table has several. */
const textHead =
  /zweck|refer|beschreibung|description|text|memo|note|name|auftraggeber|zahlungspflichtig|beguenstigt|payer|partner/;

/** Words of a booked entry, and of one that came back. */
const booked = /gebucht|booked|completed|finished/i;
const cameBack = /storno|r(ü|ue)ck|retour|revers|return|refund/i;
/** The mark of a debit, which some banks write in a column of its own, beside an amount without a sign. */
const debit = /^(s|soll|debit|dbit)$/i;

/** The most characters of a line, heads, and characters of a head: each cell costs memory, each head time. No bank has as many. */
const [maxLine, maxHeads, maxHead] = [100_000, 200, 100];

/** Reads the entries of a bank's CSV file. Some banks write the account and its balance before the table. @throws {Problem} BANK_FILE_UNREADABLE. */
export async function* readBankCsv(text: string): AsyncGenerator<BankEntry> {
  if (text.split('\n').some(({ length }) => length > maxLine))
    throw unreadable(`A line is longer than ${maxLine} characters.`);
  const countOf = (delimiter: string) => text.slice(0, 10_000).split(delimiter).length;
  const [delimiter = ','] = [';', ',', '\t'].toSorted((one, other) => countOf(other) - countOf(one));
  const rows = Readable.from(chunksOf(text)).pipe(
    parse({ delimiter, relax_column_count: true, relax_quotes: true, skip_empty_lines: true }),
  );
  let columns: Columns | undefined;
  try {
    for await (const row of rows) {
      if (columns) yield* entriesOf(row, columns);
      else columns = columnsOf(row.slice(0, maxHeads));
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw unreadable(`The CSV is damaged: ${error.message}.`);
    throw error;
  }
  if (columns) return;
  throw unreadable(
    'No line has the heads of a bank’s table, such as Buchungstag, Verwendungszweck, Betrag and Währung, or Date, Reference, Amount and Currency.',
  );
}

type Columns = NonNullable<ReturnType<typeof columnsOf>>;

function columnsOf(row: readonly string[]) {
  const names = row.map((name) => name.trim().slice(0, maxHead).toLowerCase());
  const plain = names.map((name) => name.replace(/ ?\(.*\)$/, ''));
  const placesOf = (column: keyof typeof heads): number[] =>
    heads[column]
      .split(',')
      .flatMap((head) => plain.flatMap((name, at) => (name === head.toLowerCase() ? [at] : [])));
  const [[day], [amount], currencies] = [placesOf('day'), placesOf('amount'), placesOf('currency')];
  const texts = names.flatMap((name, at) => (textHead.test(name) ? [at] : []));
  if (day === undefined || amount === undefined || texts.length === 0) return undefined;
  return {
    ...{ width: row.length, day, amount, texts, state: placesOf('state')[0], type: placesOf('type')[0] },
    // A table may have the currency of the balance too, before the amount.
    currency: currencies.find((at) => at > amount) ?? currencies[0],
    currencyOfAll: currencyIn(names[amount] ?? ''),
  };
}

/** @returns the ISO code, or that of the euro sign, at the end of a head or in an amount; empty for none. */
const currencyIn = (text: string): string => {
  const code = /(?:^|[\s(\d])([a-z]{3})\)?$/i.exec(text.trim())?.[1];
  return text.includes('€') ? 'EUR' : (code?.toUpperCase() ?? '');
};

/** @returns no entry for a row without an amount, as of a debit where credits have a column of their own. */
function entriesOf(row: readonly string[], columns: Columns): BankEntry[] {
  const cell = (at = -1) => row[at]?.trim() ?? '';
  const amount = cell(columns.amount);
  const cents = centsOf(amount);
  // Where a bank quotes no texts, a delimiter that the sender has written moves the cells behind it, the amount too.
  const isMoved = row.length > columns.width;
  if (!isMoved && (amount === '' || cents === 0)) return [];
  const state = cell(columns.state);
  const isBooked = state === '' || booked.test(state);
  const isDebit = (cents ?? 0) < 0 || row.some((one) => debit.test(one.trim()));
  const kind = isDebit ? 'debit' : cameBack.test(cell(columns.type)) ? 'reversal' : 'credit';
  return [
    {
      day: dayOf(cell(columns.day)),
      id: '',
      cents: Math.abs(cents ?? 0),
      currency: cell(columns.currency).toUpperCase() || columns.currencyOfAll || currencyIn(amount),
      texts: columns.texts.flatMap((at) => cell(at) || []),
      kind: cents === undefined || isMoved ? 'unreadable' : isBooked ? kind : 'pending',
    },
  ];
}

/**
 * Reads an amount with a decimal comma or point, with or without marks between thousands and a currency at an end. @returns undefined for
 * another text, such as one with the S or the brackets of a debit.
 */
function centsOf(text: string): number | undefined {
  const plain = tidyValue(text)
    .replace(/\p{Sc}|^[A-Z]{3}|[A-Z]{3}$/giu, '')
    .trim();
  const match = /^([+\-−]?)\s?(\d{1,3}(?:[.,’'\s]\d{3})*|\d+)(?:[.,](\d{1,2}))?$/.exec(plain);
  if (!match) return undefined;
  const [, sign = '', whole = '', decimals = ''] = match;
  const cents = Number(whole.replace(/\D/g, '')) * 100 + Number(decimals.padEnd(2, '0'));
  if (!Number.isSafeInteger(cents)) return undefined;
  return /[-−]/.test(sign) ? -cents : cents;
}

/** @returns a day such as 2026-11-21: banks write 21.11.2026, 21.11.26, 21-11-2026 or 2026-11-21 14:05. Another text is cut: it is part of a key. */
function dayOf(text: string): string {
  const [, day = '', month = '', year] = /^(\d\d?)[./-](\d\d?)[./-](\d{4}|\d\d)(?!\d)/.exec(text) ?? [];
  if (year === undefined) return text.slice(0, '2026-11-21'.length);
  return `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
