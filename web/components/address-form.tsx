import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { ApiProblem } from '../api/client.ts';
import { storageOf } from '../memory/tab-storage.ts';
import { useSession } from '../session/session.ts';
import styles from './address-form.module.css';
import { Button } from './button.tsx';
import { AddressField } from './field.tsx';
import formStyles from './inline-form.module.css';
import { pressedKey } from './pressed-key.ts';
import { withReason } from './with-reason.ts';

type DeliveryAddressProps = {
  orderId: string;
  /** Names the order for screen readers. */
  title: string;
  /** In lines; undefined for none. */
  address: string | undefined;
  /** The order may be sent to another address. */
  isOpen: boolean;
  save: (deliveryAddress: string) => Promise<void>;
  /** Stands beside the address. */
  children?: ReactNode;
};

/** The address that an order is sent to, with a form to change it. A typed text survives a reload. */
export const DeliveryAddress = ({
  orderId,
  title,
  address,
  isOpen,
  save,
  children,
}: DeliveryAddressProps) => {
  const storage = storageOf(useSession().data?.email ?? '');
  const storageKey = `address:${orderId}` as const;
  const [typed, setTyped] = useState(() => storage.read<string>(storageKey));
  const [wasOpened, setWasOpened] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const type = (text: string) => {
    setTyped(text);
    storage.write(storageKey, text);
  };
  const close = () => {
    storage.remove(storageKey);
    flushSync(() => setTyped(undefined));
    opener.current?.focus();
  };
  const saving = useMutation({ mutationFn: save, onSuccess: close });

  if (typed === undefined || !isOpen) {
    return (
      <span className={styles.delivery}>
        {address && (
          <span className={styles.address} dir="auto">
            <span className={styles.to}>To:</span> {address}
          </span>
        )}
        {children}
        {isOpen && (
          <button
            ref={opener}
            type="button"
            className={formStyles.opener}
            // The style sheet shows it: the text of the cell is that of the order alone (spec, section 2).
            data-text={address ? 'Change address' : 'Add an address'}
            aria-label={`${address ? 'Change address' : 'Add an address'}: ${title}`}
            onClick={() => {
              setWasOpened(true);
              type(address ?? '');
            }}
          />
        )}
      </span>
    );
  }
  return (
    <form
      className={formStyles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!saving.isPending) saving.mutate(typed);
      }}
      onKeyDown={(event) => {
        if (pressedKey(event) === 'Escape') close();
      }}
    >
      <AddressField
        text={typed}
        onType={type}
        error={saving.error ? errorMessage(saving.error) : undefined}
        hasFocus={wasOpened}
      />
      <span className={formStyles.buttons}>
        <Button type="submit" isBusy={saving.isPending}>
          Save address
        </Button>
        <Button variant="subtle" onClick={close}>
          Cancel
        </Button>
      </span>
    </form>
  );
};

const errorMessage = (error: Error): string => {
  if (error instanceof ApiProblem && error.code === 'ALREADY_SENT') return 'The book was sent meanwhile.';
  const [wrong] = error instanceof ApiProblem ? error.errors : [];
  return wrong?.message ?? withReason('The address was not changed. Please try again.', error);
};
