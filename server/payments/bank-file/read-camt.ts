import sax from 'sax';
import { amountToCents } from '../../../contract/money.ts';
import { type BankEntry, unreadable } from './bank-entry.ts';

type Element = { name: string; currency: string; text: string; children: Element[] };

const namespace = /^urn:iso:std:iso:20022:tech:xsd:(camt\.\d{3}\.\d{3}\.\d\d)$/;
/** The most elements in an entry: a batch of 5,000 transfers has some 150,000. */
const maxElements = 200_000;
/** The parser keeps all open elements, and all attributes of one. A statement has some twelve, and four. */
const [maxDepth, maxAttributes] = [100, 100];

/**
 * Reads the entries of a statement, CAMT.053 (ISO 20022), of the versions 001.02 to 001.08. Entities other than XML's five are errors, and a
 * DTD too. @param chunks the text in parts. @throws {Problem} BANK_FILE_UNREADABLE.
 */
export async function* readCamt(chunks: AsyncIterable<string>): AsyncGenerator<BankEntry> {
  const entries: BankEntry[] = [];
  /** The entry that is being read, and the open elements in it. */
  const open: Element[] = [];
  let elements = 0;
  let depth = 0;
  let attributes = 0;
  let isChecked = false;
  const parser = sax.parser(true);
  parser.onerror = ({ message }) => {
    throw unreadable(`The XML is damaged: ${message.replace(/\s*\n\s*/g, ', ')}.`);
  };
  parser.ondoctype = () => {
    throw unreadable('The file has a DTD, which no statement has.');
  };
  parser.onattribute = () => {
    attributes += 1;
    if (attributes > maxAttributes)
      throw unreadable('An element has more attributes than those of a statement.');
  };
  parser.onopentag = ({ name, attributes: given }) => {
    attributes = 0;
    if (!isChecked) checkRoot(Object.values(given).map(String));
    isChecked = true;
    depth += 1;
    if (depth > maxDepth) throw unreadable('Its elements are nested deeper than those of a statement.');
    const local = name.slice(name.indexOf(':') + 1);
    if (open.length === 0 && local !== 'Ntry') return;
    if (open.length === 0) elements = 0;
    elements += 1;
    if (elements > maxElements) throw unreadable('An entry has more parts than the store reads.');
    const element = { name: local, currency: String(given['Ccy'] ?? ''), text: '', children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  };
  const addText = (text: string) => {
    const element = open.at(-1);
    if (element) element.text += text;
  };
  parser.ontext = addText;
  parser.oncdata = addText;
  parser.onclosetag = () => {
    depth -= 1;
    const element = open.pop();
    if (element && open.length === 0) entries.push(...entriesOf(element));
  };
  for await (const chunk of chunks) {
    parser.write(chunk);
    yield* entries.splice(0);
  }
  parser.close();
  yield* entries;
}

function checkRoot(values: readonly string[]): void {
  const [name = ''] = values.flatMap((value) => namespace.exec(value)?.[1] ?? []);
  if (/^camt\.053\.001\.0[2-8]$/.test(name)) return;
  throw unreadable(
    `The XML is ${name || 'no statement'}. The store reads CAMT.053 of the versions 001.02 to 001.08.`,
  );
}

const all = (element: Element, ...path: readonly string[]): Element[] =>
  path.reduce(
    (found, name) => found.flatMap(({ children }) => children.filter((one) => one.name === name)),
    [element],
  );
const textsOf = (element: Element, ...path: readonly string[]): string[] =>
  all(element, ...path).flatMap(({ text }) => text.trim() || []);
const textOf = (element: Element, ...path: readonly string[]): string => textsOf(element, ...path)[0] ?? '';

/** @returns the entry, or, for a batch, an entry for each transfer in it. */
function entriesOf(entry: Element): BankEntry[] {
  const transfers = all(entry, 'NtryDtls', 'TxDtls');
  const amounts = transfers.flatMap((transfer) => amountOf(transfer) ?? []);
  const isBatch = transfers.length > 1 && amounts.length === transfers.length;
  const day = (textOf(entry, 'BookgDt', 'Dt') || textOf(entry, 'BookgDt', 'DtTm')).slice(0, 10);
  const note = textsOf(entry, 'AddtlNtryInf');
  if (isBatch) {
    return transfers.map((transfer, at) => ({
      ...{ day, cents: 0, currency: '', ...amounts[at], kind: kindOf(entry, [transfer]) },
      texts: [...textsOfTransfer(transfer), ...note],
    }));
  }
  const amount = amountOf(entry);
  if (!amount) return [];
  const texts = [...transfers.flatMap(textsOfTransfer), ...note];
  return [{ day, ...amount, texts, kind: kindOf(entry, transfers) }];
}

/** @returns the amount in the account's currency. A transfer of version 001.02 has it among its details. */
function amountOf(element: Element): { cents: number; currency: string } | undefined {
  const [amount] = [['Amt'], ['AmtDtls', 'TxAmt', 'Amt'], ['AmtDtls', 'InstdAmt', 'Amt']].flatMap((path) =>
    all(element, ...path),
  );
  const cents = amountToCents(amount?.text.trim().replace(/(\.\d\d)0+$/, '$1') ?? '');
  return amount && cents !== undefined ? { cents, currency: amount.currency } : undefined;
}

/** The parts of a text of several lines are joined as they are: banks cut it after 35 or 140 characters, within words too. */
const textsOfTransfer = (transfer: Element): string[] => [
  ...textsOf(transfer, 'RltdPties', 'Dbtr', 'Nm'),
  ...textsOf(transfer, 'RltdPties', 'Dbtr', 'Pty', 'Nm'),
  ...[textsOf(transfer, 'RmtInf', 'Ustrd').join('')].filter(Boolean),
  ...textsOf(transfer, 'RmtInf', 'Strd', 'CdtrRefInf', 'Ref'),
  ...textsOf(transfer, 'RmtInf', 'Strd', 'AddtlRmtInf'),
  ...textsOf(transfer, 'Refs', 'EndToEndId'),
  ...textsOf(transfer, 'AddtlTxInf'),
];

function kindOf(entry: Element, transfers: readonly Element[]): BankEntry['kind'] {
  const isReturn = transfers.some((transfer) => all(transfer, 'RtrInf').length > 0);
  if (textOf(entry, 'RvslInd') === 'true' || isReturn) return 'reversal';
  const [indicator] = [...transfers.flatMap((one) => textsOf(one, 'CdtDbtInd')), textOf(entry, 'CdtDbtInd')];
  if (indicator !== 'CRDT') return 'debit';
  const state = textOf(entry, 'Sts') || textOf(entry, 'Sts', 'Cd');
  return state === 'BOOK' ? 'credit' : 'pending';
}
