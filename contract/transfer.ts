import { type Static, Type } from 'typebox';
import * as Part from './schema-parts.ts';

export const Transfer = Part.Named('Transfer', {
  iban: Part.Text('The shop’s account.'),
  name: Part.Text('The holder of the account.'),
  bic: Type.Optional(Part.Text('The account’s bank.')),
  amount: Part.Money('The total of the order'),
  currency: Part.Text('ISO 4217.'),
  reference: Part.Text('The order’s number, by which the shop finds the transfer.'),
  text: Type.Optional(
    Part.Text('The content of the code that banking apps read (EPC069-12); in euros alone.'),
  ),
});
export type Transfer = Static<typeof Transfer>;
