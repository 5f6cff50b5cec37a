import { type ReactNode, useState } from 'react';
import { storageOf } from '../memory/tab-storage.ts';
import { useSession } from '../session/session.ts';
import { AddressField } from './field.tsx';
import { InlineForm } from './inline-form.tsx';

type DeliveryAddressProps = {
  orderId: string;
  /** Names the order for screen readers. */
  title: string;
  /** In lines; undefined for none. */
  address: string | undefined;
  /** In front of it, where nothing else says what it is. */
  name?: string;
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
  name,
  isOpen,
  save,
  children,
}: DeliveryAddressProps) => {
  const storage = storageOf(useSession().data?.email ?? '');
  const storageKey = `address:${orderId}` as const;
  const [typed, setTyped] = useState(() => storage.read<string>(storageKey));
  const [wasOpened, setWasOpened] = useState(false);
  const type = (text: string | undefined) => {
    setTyped(text);
    if (text === undefined) storage.remove(storageKey);
    else storage.write(storageKey, text);
  };
  const isForm = typed !== undefined && isOpen;
  return (
    <>
      {!isForm && address && (
        <p className="lines" dir="auto">
          {name && <strong>{name} </strong>}
          {address}
        </p>
      )}
      {!isForm && children}
      {isOpen && (
        <InlineForm
          opener={address ? 'Change address' : 'Add an address'}
          about={title}
          isOpen={isForm}
          setIsOpen={(opens) => {
            setWasOpened(opens);
            type(opens ? (address ?? '') : undefined);
          }}
          confirm="Save address"
          cancel="Cancel"
          send={() => save(typed ?? '')}
          failure="The address was not changed. Please try again."
          refusals={{ ALREADY_SENT: 'The book was sent meanwhile.' }}
        >
          {(error) => <AddressField text={typed ?? ''} onType={type} error={error} hasFocus={wasOpened} />}
        </InlineForm>
      )}
    </>
  );
};
