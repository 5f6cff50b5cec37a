import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { tidyValue } from '../../../contract/pasted-text.ts';
import { type BankEntry, unreadable } from './bank-entry.ts';

/** The heads of columns, in German and English. An earlier pattern comes first; a bracket at the end of an amount's head has its currency. */
const dayHeads = [
  /^buchungs(tag|datum)$/,
  /^(buchung|booking date|completed date|date completed.*|finished on)$/,
  /^(date|datum)$/,
];
const amountHeads = [
  /^(betrag|amount|umsatz)( \(?(€|[a-z]{3})\)?| in (€|[a-z]{3}))?$/,
  /^(haben|gutschrift|credit|money in|paid in)( \(?(€|[a-z]{3})\)?)?$/,
];
const currencyHead = /^(w(ä|ae)hrung|(payment )?currency)$/;
const stateHead = /^(status|state|info)$/;
const typeHead = /^(buchungstext|umsatz(typ|art)|(transaction )?type|typ)$/;
const textHead =
  /zweck|refer|beschreibung|description|text|memo|note|name|auftraggeber|zahlungspflichtig|beguenstigt|payer|partner/;

/** Words of a booked entry, and of one that came back. */
const booked = /gebucht|booked|completed|finished/i;
/** What some banks write in a column of its own, beside an amount without a sign. */
const debit = /^(s|soll|debit|dbit)$/i;
const cameBack = /storno|r(ü|ue)ck|retour|revers|return|refund/i;

/** Heads are looked for in this many lines: some banks write the account and its balance before the table. */
const maxPreamble = 60;
/** The most characters of a line: no bank's has as many, and each cell costs memory, each head time. */
const maxLine = 100_000;

/** Reads the entries of a bank's CSV file. @throws {Problem} BANK_FILE_UNREADABLE. */
export async function* readBankCsv(
  text: string,
  chunksOf: (text: string) => AsyncIterable<string>,
): AsyncGenerator<BankEntry> {
  if (hasLongLine(text)) throw unreadable(`A line is longer than ${maxLine} characters.`);
  const table = findTable(text);
  if (!table) {
    throw unreadable(
      'No line has the heads of a bank’s table, such as Buchungstag, Verwendungszweck, Betrag and Währung, or Date, Reference, Amount and Currency.',
    );
  }
  const { start, delimiter, columns } = table;
  const rows = Readable.from(chunksOf(text.slice(start))).pipe(
    parse({ delimiter, from: 2, relax_column_count: true, relax_quotes: true, skip_empty_lines: true }),
  );
  try {
    for await (const row of rows) {
      const entry = entryOf(row, columns);
      if (entry) yield entry;
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw unreadable(`The CSV is damaged: ${error.message}.`);
    throw error;
  }
}

type Columns = NonNullable<ReturnType<typeof columnsOf>>;

function hasLongLine(text: string): boolean {
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = text.indexOf('\n', start);
    if (end < 0) end = text.length;
    if (end - start > maxLine) return true;
  }
  return false;
}

function findTable(text: string) {
  let start = 0;
  for (const line of text.split('\n', maxPreamble)) {
    for (const delimiter of [';', ',', '\t']) {
      const heads = line.split(delimiter).map((head) => head.replace(/["\r]/g, '').trim().toLowerCase());
      const columns = columnsOf(heads);
      if (columns) return { start, delimiter, columns };
    }
    start += line.length + 1;
  }
  return undefined;
}

function columnsOf(heads: readonly string[]) {
  const indexOf = (patterns: readonly RegExp[]): number =>
    patterns.map((pattern) => heads.findIndex((head) => pattern.test(head))).find((at) => at >= 0) ?? -1;
  const day = indexOf(dayHeads);
  const amount = indexOf(amountHeads);
  const texts = heads.flatMap((head, at) => (textHead.test(head) ? [at] : []));
  if (day < 0 || amount < 0 || texts.length === 0) return undefined;
  // A table may have the currency of the balance too, before the amount.
  const afterAmount = heads.findIndex((head, at) => at > amount && currencyHead.test(head));
  return {
    ...{ day, amount, texts, state: indexOf([stateHead]), type: indexOf([typeHead]) },
    currency: afterAmount < 0 ? indexOf([currencyHead]) : afterAmount,
    currencyOfAll: currencyIn(heads[amount] ?? ''),
  };
}

/** @returns the ISO code, or that of the euro sign, at the end of a head or in an amount; empty for none. */
const currencyIn = (text: string): string => {
  const code = /(?:^|[\s(\d])([a-z]{3})\)?$/i.exec(text.trim())?.[1];
  return text.includes('€') ? 'EUR' : (code?.toUpperCase() ?? '');
};

function entryOf(row: readonly string[], columns: Columns): BankEntry | undefined {
  const cell = (at: number) => row[at]?.trim() ?? '';
  const amount = cell(columns.amount);
  const cents = centsOf(amount);
  if (cents === undefined || cents === 0) return undefined;
  const state = cell(columns.state);
  const isBooked = state === '' || booked.test(state);
  const isDebit = cents < 0 || row.some((one) => debit.test(one.trim()));
  const kind = isDebit ? 'debit' : cameBack.test(cell(columns.type)) ? 'reversal' : 'credit';
  return {
    day: dayOf(cell(columns.day)),
    cents: Math.abs(cents),
    currency: cell(columns.currency).toUpperCase() || columns.currencyOfAll || currencyIn(amount),
    texts: columns.texts.flatMap((at) => cell(at) || []),
    kind: isBooked ? kind : 'pending',
  };
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
  const [, year, rest] = /^(\d{4})-(\d\d-\d\d)/.exec(text) ?? [];
  if (year && rest) return `${year}-${rest}`;
  const match = /^(\d\d?)[./-](\d\d?)[./-](\d{4}|\d\d)(?!\d)/.exec(text);
  if (!match) return text.slice(0, 30);
  const [, day = '', month = '', ending = ''] = match;
  return `${ending.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
