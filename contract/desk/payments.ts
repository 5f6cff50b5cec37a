import { type Static, Type } from 'typebox';
import { Term } from '../field-formats.ts';
import * as Part from '../schema-parts.ts';
import { maxAtOnce, maxBankFileBytes } from './limits.ts';

export const MarkPaid = Part.Named('MarkPaid', {
  ids: Type.Array(Term({ maxLength: 64 }), {
    minItems: 1,
    maxItems: maxAtOnce,
    description: 'The ids of orders, or their numbers.',
  }),
  isPaid: Part.Flag('False takes the mark back.'),
});

export const MarkedPaid = Part.Named('MarkedPaid', {
  _id: Part.Text('The order’s id.'),
  number: Part.Text('The order’s number.'),
  isPaid: Part.Flag('It is paid.'),
  isChanged: Part.Flag('This call has marked it, or taken its mark back.'),
});
export type MarkedPaid = Static<typeof MarkedPaid>;

export const BankFile = Part.Named('BankFile', {
  file: Type.String({
    contentEncoding: 'base64',
    maxLength: Math.ceil(maxBankFileBytes / 3) * 4,
    description: 'The file in Base64: CAMT.053, or the bank’s CSV. 10 MB at most.',
  }),
});
export type BankFile = Static<typeof BankFile>;

const LeftEntry = Type.Object({
  day: Part.Text('The day on which it was booked.'),
  amount: Part.Money('What came, or went'),
  currency: Part.Text('ISO 4217; empty where the file has none.'),
  text: Part.Text('What the bank wrote to it, shortened.'),
  order: Part.Nullable('The id of the order that it names; null for none.'),
  reason: Part.Text('Why no order was marked, as a sentence.'),
});

export const BankImport = Part.Named('BankImport', {
  marked: Part.Count('Orders that are paid by this file.'),
  known: Part.Count('Entries that were imported before.'),
  left: Type.Array(LeftEntry, { description: 'The others that concern the shop: at most 1,000.' }),
  leftCount: Part.Count('How many those are.'),
});
export type BankImport = Static<typeof BankImport>;
export type LeftEntry = BankImport['left'][number];
