import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { DeskMail } from '../../../../contract/desk-mail.ts';
import { retryTransient } from '../../../api/client.ts';
import { deskMailKey, retryMail } from '../../../api/desk-queries.ts';
import { Button } from '../../../components/button.tsx';
import { withReason } from '../../../components/with-reason.ts';

/** Sends the mail of an order again from now on, or its receipt although nothing verifies the address. */
export const RetryMail = ({ mail }: { mail: DeskMail }) => {
  const queryClient = useQueryClient();
  const retry = useMutation({
    mutationFn: () => retryMail(mail._id),
    retry: retryTransient,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: deskMailKey }),
  });
  const act = mail.state === 'unverified' ? 'Send anyway' : 'Send again';
  return (
    <>
      <Button
        variant="subtle"
        aria-label={`${act}: ${mail.subject}, to ${mail.to}`}
        isBusy={retry.isPending}
        onClick={() => retry.mutate()}
      >
        {act}
      </Button>
      <span role="status">{retry.isError && withReason('It was not sent.', retry.error)}</span>
    </>
  );
};
