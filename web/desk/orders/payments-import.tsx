import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { counted } from '../../../contract/counted.ts';
import { maxBankFileBytes } from '../../../contract/desk/limits.ts';
import { deskPaths, deskViewAddress } from '../../../contract/desk/paths.ts';
import type { BankFile, BankImport, LeftEntry } from '../../../contract/desk/payments.ts';
import { send } from '../../api/calls.ts';
import { ApiProblem, isTransient } from '../../api/client.ts';
import { ButtonLink } from '../../components/button.tsx';
import { Fact } from '../../components/fact.tsx';
import { FileField } from '../../components/field.tsx';
import { ResponsiveTable } from '../../components/responsive-table.tsx';
import { withReason } from '../../components/with-reason.ts';
import { label, text, title } from '../columns.tsx';
import { ViewHead } from '../view-head.tsx';

/** Marks the orders as paid that a file of the bank has a transfer for. */
export const PaymentsImport = () => {
  const queryClient = useQueryClient();
  const importing = useMutation({
    mutationFn: async (file: File) => {
      if (file.size > maxBankFileBytes) throw new Error('It is larger than 10 MB.');
      const json: BankFile = { file: await base64Of(file) };
      return await send<BankImport>('POST', deskPaths.paymentsImport, json);
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['desk'] }),
  });
  const { variables: file, data, error } = importing;
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
        disabled={importing.isPending}
        onPick={(picked) => picked && importing.mutate(picked)}
      />
      <div role="status">{importing.isPending && <p>Reading {file?.name}…</p>}</div>
      {error && (
        <p className="edge" role="alert">
          {messageOf(error)}
        </p>
      )}
      {data && file && <Report fileName={file.name} result={data} />}
    </>
  );
};

const Report = ({ fileName, result }: { fileName: string; result: BankImport }) => {
  const { marked, known, left, leftCount } = result;
  const rows = left.map((entry, at): Row => ({ ...entry, _id: String(at) }));
  const first = leftCount > left.length ? ` The first ${left.length.toLocaleString('en')} of them:` : '';
  return (
    <section className="stack loose" aria-label={fileName}>
      <h2 ref={takeFocus} tabIndex={-1}>
        {marked > 0 ? `Marked ${counted(marked, 'order')} as paid` : 'No order was marked'}
      </h2>
      <dl className="facts flow large">
        <Fact name="Paid">{marked.toLocaleString('en')}</Fact>
        <Fact name="Known before">{known.toLocaleString('en')}</Fact>
        <Fact name="Left to you">{leftCount.toLocaleString('en')}</Fact>
      </dl>
      {marked > 0 && (
        <div>
          <ButtonLink variant="primary" href={deskViewAddress('orders', { state: 'new' })}>
            To the orders to send
          </ButtonLink>
        </div>
      )}
      {leftCount > 0 && (
        <div className="stack">
          <p>
            These entries marked no order. If one pays an order after all, mark it as paid yourself.{first}
          </p>
          <ResponsiveTable label="Entries that marked no order" columns={columns} rows={rows} />
        </div>
      )}
    </section>
  );
};

const takeFocus = (heading: HTMLElement | null): void => heading?.focus();

/** Entries may be equal, so each has its place as its key. */
type Row = LeftEntry & { _id: string };

const columns = [
  title<Row>('Reason', ({ reason, order }) => ({
    title: reason,
    below: [order && <Link href={deskViewAddress('orders', { order })}>See the order</Link>],
  })),
  label<Row>('Day', ({ day }) => day, { width: '7.5rem' }),
  label<Row>('Amount', ({ amount, currency }) => `${amount.toFixed(2)} ${currency}`, { width: '8rem' }),
  text<Row>('Text of the bank', ({ text }) => text, { width: '40%' }),
];

const base64Of = async (file: File): Promise<string> => {
  const reader = new FileReader();
  return await new Promise((resolve, reject) => {
    reader.onload = () => resolve(String(reader.result).replace(/^data:[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
};

const messageOf = (error: Error): string => {
  const what = 'The file was not imported.';
  const isRefused = !(error instanceof ApiProblem) || !isTransient(error);
  return isRefused ? `${what} ${error.message}` : withReason(what, error);
};
