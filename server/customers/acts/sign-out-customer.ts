import { counted } from '../../../contract/counted.ts';
import { CustomerParams } from '../../../contract/desk/customers.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import * as Part from '../../../contract/schema-parts.ts';
import { act } from '../../access/act.ts';
import { recordActivity } from '../../activity/activity.ts';
import { Problem } from '../../http/problems.ts';
import { endSessionsOfCustomer } from '../../sign-in/sessions.ts';

export const signOutCustomer = act({
  method: 'POST',
  path: deskPaths.customerSignOut,
  operationId: 'signOutCustomer',
  summary: 'Ends every session of a customer',
  input: { params: CustomerParams },
  output: Part.Named('EndedSessions', { sessions: Part.Count('How many ended.') }),
  problems: ['CUSTOMER_NOT_FOUND'],
  async run({ db, actor }, { params: { id } }) {
    return await db.transaction().execute(async (db) => {
      // This write makes sign-ins of the customer wait until the end of the transaction.
      const { numUpdatedRows } = await db
        .updateTable('customers')
        .set(({ ref }) => ({ name: ref('name') }))
        .where('id', '=', id)
        .where('erased_at', 'is', null)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) throw new Problem('CUSTOMER_NOT_FOUND');
      const sessions = await endSessionsOfCustomer(db, id);
      const details = { sessions };
      if (sessions > 0) await recordActivity(db, 'customer-signed-out', actor, { subject: id, details });
      return { sessions };
    });
  },
  commands: {
    'customers sign-out': {
      purpose: 'Ends every session of a customer, in all browsers.',
      ofEmail(customers, ended) {
        const sessions = ended.reduce((sum, { sessions }) => sum + sessions, 0);
        return `Ended ${counted(sessions, 'session')} of ${customers}.`;
      },
    },
  },
});
