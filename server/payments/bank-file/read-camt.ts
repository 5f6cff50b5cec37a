import { setImmediate as nextTurn } from 'node:timers/promises';
import sax from 'sax';
import { amountToCents } from '../../../contract/money.ts';
import { type BankEntry, chunksOf, unreadable } from './bank-entry.ts';

/** The texts of an entry, or of a transfer in it, by the paths of their elements, such as `BookgDt/Dt`. */
type Fields = Map<string, string[]>;

/** The most characters in the names of the open elements, which an entry keeps for each of its parts: a statement's have some 150. */
const maxPath = 300;
/** The most elements and attributes in an entry, which is kept whole: a batch of 5,000 transfers has some 150,000. */
const maxParts = 200_000;
/** The length of the bank's id: the standard gives it 35 characters. */
const maxId = 35;
/** The most texts of an entry or a transfer, and the most characters of each. */
const [maxTexts, maxText] = [20, 1_000];
/** Entries that are handed on without a turn for visitors: a batch may have tens of thousands. */
const maxAtOnce = 50;

/**
 * Reads the entries of a statement, CAMT.053 (ISO 20022), of the versions 001.02 to 001.08. Entities other than XML's five are errors, and a
 * DTD too. @throws {Problem} BANK_FILE_UNREADABLE.
 */
export async function* readCamt(text: string): AsyncGenerator<BankEntry> {
  const [, version = 'no statement'] =
    /urn:iso:std:iso:20022:tech:xsd:([\w.]+)/.exec(text.slice(0, 2_000)) ?? [];
  if (!/^camt\.053\.001\.0[2-8]$/.test(version))
    throw unreadable(`The XML is ${version}. The store reads CAMT.053 of the versions 001.02 to 001.08.`);
  const entries: BankEntry[] = [];
  /** The names of the open elements. */
  const open: string[] = [];
  /** The fields of the entry that is read, and of each transfer in it. */
  let found: Fields[] = [];
  let content = '';
  let parts = 0;
  const countPart = () => {
    parts += 1;
    if (parts > maxParts) throw unreadable('An entry has more parts than the store reads.');
  };
  const parser = sax.parser(true);
  parser.onerror = ({ message }) => {
    throw unreadable(`The XML is damaged: ${message.replace(/\s*\n\s*/g, ', ')}.`);
  };
  parser.ondoctype = () => {
    throw unreadable('The file has a DTD, which no statement has.');
  };
  const add = (name: string, value: string) => {
    const start = open.findLastIndex((name) => name === 'Ntry' || name === 'TxDtls');
    const fields = found[open[start] === 'Ntry' ? 0 : found.length - 1];
    const path = open.slice(start + 1).join('/') + name;
    const texts = fields?.get(path) ?? [];
    if (value !== '') texts.push(value);
    fields?.set(path, texts);
  };
  parser.onattribute = countPart;
  parser.onopentag = ({ name, attributes }) => {
    countPart();
    open.push(name.slice(name.indexOf(':') + 1));
    if (open.join('/').length > maxPath)
      throw unreadable('Its elements are nested deeper, or have longer names, than those of a statement.');
    content = '';
    if (open.at(-1) === 'Ntry') found = [new Map()];
    else if (open.at(-1) === 'TxDtls') found.push(new Map());
    else if (attributes['Ccy'] !== undefined) add('@Ccy', String(attributes['Ccy']));
  };
  parser.ontext = parser.oncdata = (text) => {
    content += text;
  };
  parser.onclosetag = () => {
    add('', content.trim());
    content = '';
    if (open.pop() !== 'Ntry') return;
    for (const entry of entriesOf(found)) entries.push(entry);
    found = [];
    parts = 0;
  };
  for await (const chunk of chunksOf(text)) {
    parser.write(chunk);
    for (let read = entries.splice(0); read.length > 0; await nextTurn()) yield* read.splice(0, maxAtOnce);
  }
  parser.close();
}

/** @returns the first text of these paths. */
const textOf = (fields: Fields, ...paths: readonly string[]): string =>
  paths.map((path) => fields.get(path)?.[0]).find((text) => text !== undefined) ?? '';

/** @returns the entry, or, for a batch whose transfers have amounts, an entry for each transfer in it. */
function entriesOf([entry = new Map(), ...transfers]: readonly Fields[]): BankEntry[] {
  // Once: each transfer of a batch has them.
  const texts = textsIn(entry);
  if (transfers.length < 2 || !transfers.every((transfer) => amountOf(transfer)))
    return [entryOf(entry, transfers, amountOf(entry), texts)];
  return transfers.map((transfer) => entryOf(entry, [transfer], amountOf(transfer), texts));
}

const entryOf = (
  entry: Fields,
  transfers: readonly Fields[],
  amount: ReturnType<typeof amountOf>,
  texts: readonly string[],
): BankEntry => ({
  day: textOf(entry, 'BookgDt/Dt', 'BookgDt/DtTm').slice(0, 10),
  // Half a character would not be read as it was written, and the entry be another one the next time.
  id: (textOf(transfers[0] ?? entry, 'Refs/AcctSvcrRef') || textOf(entry, 'AcctSvcrRef'))
    .slice(0, maxId)
    .toWellFormed(),
  ...(amount ?? { cents: 0, currency: '' }),
  texts: [...transfers.flatMap(textsIn), ...texts],
  kind: amount ? kindOf(entry, transfers) : 'unreadable',
});

/** @returns the amount in the account's currency. A transfer of version 001.02 has it among its details. */
function amountOf(fields: Fields): { cents: number; currency: string } | undefined {
  const path = fields.has('Amt') ? 'Amt' : 'AmtDtls/TxAmt/Amt';
  const cents = amountToCents(textOf(fields, path).replace(/(\.\d\d)0+$/, '$1'));
  return cents === undefined ? undefined : { cents, currency: textOf(fields, `${path}@Ccy`) };
}

/** The parts of a text of several lines are joined as they are: banks cut it after 35 or 140 characters, within words too. */
const textsIn = (fields: Fields): string[] =>
  [...fields]
    .flatMap(([path, parts]) => (telling.test(path) ? parts.join('').slice(0, maxText) || [] : []))
    .slice(0, maxTexts);
const telling = /^(RltdPties\/Dbtr\/(Pty\/)?Nm|RmtInf\/.*|Refs\/EndToEndId|Addtl(Tx|Ntry)Inf)$/;

function kindOf(entry: Fields, transfers: readonly Fields[]): BankEntry['kind'] {
  const isReturn = transfers.some((transfer) => transfer.has('RtrInf'));
  if (['true', '1'].includes(textOf(entry, 'RvslInd')) || isReturn) return 'reversal';
  const [indicator] = [...transfers, entry].flatMap((fields) => textOf(fields, 'CdtDbtInd') || []);
  if (indicator !== 'CRDT') return 'debit';
  return textOf(entry, 'Sts', 'Sts/Cd') === 'BOOK' ? 'credit' : 'pending';
}
