import { counted } from '../../../contract/counted.ts';
import { maxBankFileBytes } from '../../../contract/desk/limits.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { BankFile, BankImport } from '../../../contract/desk/payments.ts';
import { act } from '../../access/act.ts';
import { recordActivity } from '../../activity/activity.ts';
import { importBankFile } from '../transfers.ts';

export const importPayments = act({
  method: 'POST',
  path: deskPaths.paymentsImport,
  operationId: 'importPayments',
  summary: 'Marks the orders as paid that a bank’s file has a transfer for',
  description:
    'A statement in the format CAMT.053, or CSV whose heads are German or English. An order is marked if a booked credit in the shop’s ' +
    'currency names its number and has its total. Everything else is listed. The same entry again changes nothing.',
  scope: 'orders',
  input: { body: BankFile },
  bodyLimit: maxBankFileBytes * 1.4,
  isOneAtATime: true,
  output: BankImport,
  problems: ['BANK_FILE_UNREADABLE', 'BODY_TOO_LARGE', 'BUSY'],
  async run({ db, money, actor, outbox }, { body: { file } }) {
    const result = await importBankFile(db, Buffer.from(file, 'base64'), { money, senders: outbox.senders });
    const { marked, known, leftCount: left } = result;
    await recordActivity(db, 'payments-imported', actor, { details: { marked, known, left } });
    outbox.wake();
    return result;
  },
  commands: {
    'payments import': {
      purpose:
        'Marks the orders as paid that a bank’s file has a transfer for: CAMT.053, or CSV. The same file again changes nothing.',
      operands: { FILE: 'file' },
      reads: { member: 'file', as: 'base64' },
      report: ({ marked, known, left, leftCount }) => [
        ...left.map(({ day, amount, currency, text, reason }) =>
          [day, `${amount.toFixed(2)} ${currency}`, reason, text].join('  '),
        ),
        `${counted(marked, 'order')} paid, ${known} known, ${leftCount} left`,
      ],
    },
  },
});
