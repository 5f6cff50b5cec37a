import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { groupIban } from '../../../contract/iban.ts';
import { paymentPaths } from '../../../contract/payments.ts';
import { apiOrigin } from '../../api/client.ts';
import { transferQuery } from '../../api/orders.ts';
import { Button } from '../../components/button.tsx';
import { Fetched } from '../../components/fetched.tsx';
import { browserLanguage, copyText } from '../../memory/platform-later.ts';
import { money } from '../../store-config.ts';
import styles from './transfer.module.css';

/** The account, the amount and the reference of a transfer, each with a button that copies it, and their code for a banking app. */
export const TransferDetails = ({ id }: { id: string }) => {
  const [copied, setCopied] = useState<{ name: string; isDone: boolean }>();
  const copy = async (name: string, text: string) => setCopied({ name, isDone: await copyText(text) });
  const wordOf = ({ isDone }: { isDone: boolean }) => (isDone ? 'Copied' : 'Not copied');
  const line = (name: string, shown: string, text = shown) => (
    <div className={styles.line}>
      <dt>{name}</dt>
      <dd dir="auto">{shown}</dd>
      <dd data-no-print>
        <Button variant="subtle" aria-label={`Copy: ${name}`} onClick={() => copy(name, text)}>
          {copied?.name === name ? wordOf(copied) : 'Copy'}
        </Button>
      </dd>
    </div>
  );
  return (
    <Fetched query={useQuery(transferQuery(id))} problem="The account could not be fetched.">
      {({ iban, name, bic, amount, reference, text }) => (
        <div className={styles.slip}>
          <dl>
            {line('Recipient', name)}
            {line('IBAN', groupIban(iban), iban)}
            {bic && line('BIC', bic)}
            {line('Amount', money.format(amount), amountForForms(amount))}
            {line('Reference', reference)}
          </dl>
          {text && (
            <figure>
              <img
                src={`${apiOrigin}${paymentPaths.transferCode(id)}`}
                alt="The transfer as a QR code"
                width="176"
                height="176"
              />
              <figcaption className="soft">Scan it with your banking app</figcaption>
            </figure>
          )}
          <p className="soft">
            Please keep the reference as it is: it tells us that the money is for this order.
          </p>
          <p className="hidden" role="status">
            {copied && `${wordOf(copied)}: ${copied.name}`}
          </p>
        </div>
      )}
    </Fetched>
  );
};

/** The form of a bank reads a decimal comma where the browser's language has one. */
const amountForForms = (amount: number): string =>
  new Intl.NumberFormat(browserLanguage(), {
    useGrouping: false,
    minimumFractionDigits: money.decimals,
  }).format(amount);
