import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { DeskMail } from '../../../../contract/desk-mail.ts';
import { retryTransient } from '../../../api/client.ts';
import { deskMailKey, retryMail } from '../../../api/desk-queries.ts';
import { Button } from '../../../components/button.tsx';
import { withReason } from '../../../components/with-reason.ts';

/** Sends the mail of an order again, from now on. */
export const RetryMail = ({ mail }: { mail: DeskMail }) => {
  const queryClient = useQueryClient();
  const retry = useMutation({
    mutationFn: () => retryMail(mail._id),
    retry: retryTransient,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: deskMailKey }),
  });
  return (
    <>
      <Button
        variant="subtle"
        aria-label={`Send again: ${mail.subject}, to ${mail.to}`}
        isBusy={retry.isPending}
        onClick={() => retry.mutate()}
      >
        Send again
      </Button>
      <span role="status">{retry.isError && withReason('It was not sent.', retry.error)}</span>
    </>
  );
};
