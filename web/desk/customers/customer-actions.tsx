import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { counted } from '../../../contract/counted.ts';
import type { DeskCustomer } from '../../../contract/desk/customers.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { retryTransient } from '../../api/client.ts';
import {
  blockCustomer,
  deskCustomersKey,
  downloadAddress,
  replaceInLists,
  signOutCustomer,
} from '../../api/desk-queries.ts';
import { Button } from '../../components/button.tsx';
import { withReason } from '../../components/with-reason.ts';
import { ExportLinks } from '../export-links.tsx';
import styles from './customer-panel.module.css';

/** The buttons for a customer, apart from the erasure, and the outcome of the last one. */
export const CustomerActions = ({ customer }: { customer: DeskCustomer }) => {
  const queryClient = useQueryClient();
  const [result, setResult] = useState('');
  const report = (message: string) => (error: Error) => setResult(withReason(message, error));

  const signOut = useMutation({
    mutationFn: () => signOutCustomer(customer._id),
    retry: retryTransient,
    onSuccess: (sessions) =>
      setResult(
        sessions === 0
          ? 'This customer was signed in nowhere.'
          : `Signed out of ${counted(sessions, 'browser')}.`,
      ),
    onError: report('The customer was not signed out. Please try again.'),
  });
  const block = useMutation({
    mutationFn: (isBlocked: boolean) => blockCustomer(customer._id, isBlocked),
    retry: retryTransient,
    onSuccess: async (changed) => {
      await replaceInLists(queryClient, deskCustomersKey, changed);
      setResult(
        changed.isBlocked
          ? 'Blocked: signed out everywhere, and not let in until you unblock.'
          : 'Unblocked: this customer can sign in again.',
      );
    },
    onError: report('Nothing was changed. Please try again.'),
  });

  return (
    <div className={styles.actions}>
      <Button isBusy={signOut.isPending} onClick={() => signOut.mutate()}>
        Sign out everywhere
      </Button>
      <Button isBusy={block.isPending} onClick={() => block.mutate(!customer.isBlocked)}>
        {customer.isBlocked ? 'Unblock' : 'Block'}
      </Button>
      <ExportLinks
        label="Export everything as"
        links={{ JSON: downloadAddress(deskPaths.customerExport(customer._id)) }}
      />
      <p className={styles.result} role="status">
        {result}
      </p>
    </div>
  );
};
