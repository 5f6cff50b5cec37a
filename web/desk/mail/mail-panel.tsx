import { useQuery } from '@tanstack/react-query';
import type { DeskMail, DeskMailContent } from '../../../contract/desk/mail.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import { read } from '../../api/calls.ts';
import { Button } from '../../components/button.tsx';
import { Fact } from '../../components/fact.tsx';
import { Fetched } from '../../components/fetched.tsx';
import type { PanelOf } from '../list-view.tsx';
import { Panel } from '../panel.tsx';
import styles from './mail-panel.module.css';

/**
 * The messages of an order as text. Their HTML has the same words. It would be shown without its styles: a frame inherits the
 * page's policy, which allows no inline ones.
 */
export const MailPanel = ({ id, close }: PanelOf<DeskMail>) => (
  <Panel heading="Mail of the order" onClose={close}>
    <Fetched
      query={useQuery(read<DeskMailContent>('desk', deskPaths.mailOf(id)))}
      problem="The mail could not be fetched."
    >
      {({ receipt, notice, acknowledgement, withdrawalNotice }) => (
        <>
          <Message name="Receipt" message={receipt} />
          <Message name="Notice to the shop" message={notice} />
          <Message name="Acknowledgement of the withdrawal" message={acknowledgement} />
          <Message name="Notice of the withdrawal to the shop" message={withdrawalNotice} />
        </>
      )}
    </Fetched>
    <div>
      <Button onClick={close}>Close</Button>
    </div>
  </Panel>
);

type MessageProps = { name: string; message: DeskMailContent['receipt'] | undefined };

const Message = ({ name, message }: MessageProps) =>
  message && (
    <section className="stack tight" aria-label={name}>
      <h3>{name}</h3>
      <dl className="facts">
        <Fact name="To">{message.to}</Fact>
        <Fact name="Subject" dir="auto">
          {message.subject}
        </Fact>
      </dl>
      <pre className={styles.text}>{message.text}</pre>
    </section>
  );
