import { useQuery } from '@tanstack/react-query';
import type { DeskMail, DeskMailContent } from '../../../contract/desk/mail.ts';
import { mailContentQuery } from '../../api/desk-queries.ts';
import { Button } from '../../components/button.tsx';
import { Loading } from '../../components/loading.tsx';
import { TryAgain } from '../../components/try-again.tsx';
import { Panel } from '../panel.tsx';
import styles from './mail-preview.module.css';

/**
 * The messages of an order as text. Their HTML has the same words. It would be shown without its styles: a frame inherits the
 * page's policy, which allows no inline ones.
 */
export const MailPreview = ({ mail, onClose }: { mail: DeskMail; onClose: () => void }) => {
  const content = useQuery(mailContentQuery(mail._id));
  return (
    <Panel heading="Mail of the order" onClose={onClose}>
      {content.isError && (
        <TryAgain
          problem="The mail could not be fetched."
          error={content.error}
          onTryAgain={content.refetch}
        />
      )}
      {content.isPending && <Loading />}
      {content.data && (
        <>
          <Message name="Receipt" message={content.data.receipt} />
          <Message name="Notice to the shop" message={content.data.notice} />
          {content.data.acknowledgement && (
            <Message name="Acknowledgement of the withdrawal" message={content.data.acknowledgement} />
          )}
          {content.data.withdrawalNotice && (
            <Message name="Notice of the withdrawal to the shop" message={content.data.withdrawalNotice} />
          )}
        </>
      )}
      <div>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Panel>
  );
};

const Message = ({ name, message }: { name: string; message: DeskMailContent['receipt'] }) => (
  <section className={styles.message} aria-label={name}>
    <h3>{name}</h3>
    <dl>
      <dt>To</dt>
      <dd>{message.to}</dd>
      <dt>Subject</dt>
      <dd dir="auto">{message.subject}</dd>
    </dl>
    <pre>{message.text}</pre>
  </section>
);
