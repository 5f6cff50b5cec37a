import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { counted } from '../../../contract/counted.ts';
import { maxBankFileBytes } from '../../../contract/desk/limits.ts';
import { deskPaths, deskViewAddress } from '../../../contract/desk/paths.ts';
import type { BankFile, BankImport, LeftEntry } from '../../../contract/desk/payments.ts';
import { send } from '../../api/calls.ts';
import { ApiProblem } from '../../api/client.ts';
import { ButtonLink } from '../../components/button.tsx';
import { longDays } from '../../components/days.ts';
import { FileField } from '../../components/field.tsx';
import { ResponsiveTable } from '../../components/responsive-table.tsx';
import { withReason } from '../../components/with-reason.ts';
import { control, label, text, title } from '../columns.tsx';
import { ViewHead } from '../view-head.tsx';

export const PaymentsImport = () => {
  const queryClient = useQueryClient();
  const { mutate, variables, isPending, data, error } = useMutation({
    mutationFn: async (file: File) => {
      if (file.size > maxBankFileBytes)
        throw new ApiProblem(413, { code: 'BODY_TOO_LARGE', detail: 'It is larger than 10 MB.' });
      const json: BankFile = { file: await base64Of(file) };
      return await send<BankImport>('POST', deskPaths.paymentsImport, json);
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['desk'] }),
  });
  return (
    <>
      <ViewHead
        name="Import payments"
        about="Finds the orders that were paid by transfer, in a file of your bank."
      >
        <ButtonLink href={deskViewAddress('orders', { state: 'due' })}>Back to the orders</ButtonLink>
      </ViewHead>
      <FileField
        label="Choose the bank’s file, or drop it here"
        hint="CAMT.053 (XML) or CSV, of any days: an entry that was imported before changes nothing."
        accept=".xml,.csv,text/csv,text/xml,application/xml"
        disabled={isPending}
        onPick={(picked) => picked && mutate(picked)}
      />
      <p className={`status ${error ? 'edge' : 'lead'}`} role="status">
        {isPending && `Reading ${variables.name}…`}
        {error && withReason('The file was not imported.', error)}
        {data && resultOf(data)}
      </p>
      {data && data.left.length > 0 && (
        <ResponsiveTable label="Entries that marked no order" columns={columns} rows={data.left.map(rowOf)} />
      )}
    </>
  );
};

const resultOf = ({ marked, known, left, leftCount }: BankImport): string => {
  const words = [`Marked ${counted(marked, 'order')} as paid.`];
  if (known > 0) words.push(`Imported before: ${known.toLocaleString('en')}.`);
  if (leftCount > 0) {
    words.push('These marked no order: if one pays an order after all, mark it as paid yourself.');
  }
  if (leftCount > left.length) words.push(`Of ${leftCount.toLocaleString('en')}, here are the first.`);
  return words.join(' ');
};

/** Entries may be equal, so each has its place as its key. */
const rowOf = (entry: LeftEntry, at: number) => ({ ...entry, _id: String(at) });
type Row = ReturnType<typeof rowOf>;

const columns = [
  title<Row>('Reason', ({ reason, order }) => ({
    title: reason,
    below: [order && <Link href={deskViewAddress('orders', { order })}>See the order</Link>],
  })),
  label<Row>('Day', ({ day }) => dayText(day), { width: '7.5rem' }),
  control<Row>('Amount', ({ amount, currency }) => `${amount.toFixed(2)} ${currency}`, { width: '8rem' }),
  text<Row>('Text of the bank', ({ text }) => text, { width: '40%' }),
];

/** It has no time, so no zone moves it. What the store could not read is as the file has it. */
const dayText = (day: string): string => {
  const date = new Date(`${day}T00:00`);
  return Number.isNaN(date.getTime()) ? day : longDays.format(date);
};

const base64Of = async (file: File): Promise<string> => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
};
