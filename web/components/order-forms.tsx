import { useMutation } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { maxReasonLength } from '../../contract/withdrawal.ts';
import { retryTransient } from '../api/client.ts';
import { Button } from './button.tsx';
import { addressField, LinesField } from './field.tsx';
import { pressedKey } from './pressed-key.ts';
import { withReason } from './with-reason.ts';

type InlineFormProps = {
  /** The texts of the button that opens the form, and of the one that sends it. */
  opener: string;
  confirm: string;
  /** The order's name for screen readers. */
  title: string;
  field: ComponentProps<typeof LinesField>;
  text?: string | undefined;
  cancel?: string;
  isPrimary?: boolean;
  /** True if the form is open from the start, as a part of the screen: it takes no focus, and is not closed without a text. */
  isOpen?: boolean;
  /** Sends the text; a repeated call is safe. The form closes when the store has accepted it. */
  send: (text: string) => Promise<unknown>;
  failure: string;
  /** Shown above the field. */
  children?: ReactNode;
};

/** A button about an order that turns into a form with one text. Escape closes the form, and the focus returns to the button. */
const InlineForm = (props: InlineFormProps) => {
  const { opener, title, field, text = '', confirm, cancel = 'Cancel', isPrimary, isOpen, send } = props;
  /** Undefined until the form is opened, null after it was closed. */
  const [typed, setTyped] = useState<string | null | undefined>(isOpen ? text : undefined);
  const sending = useMutation({
    mutationFn: () => send(typed ?? ''),
    retry: retryTransient,
    onSuccess: () => setTyped(null),
  });
  if (typeof typed !== 'string') {
    return (
      <button
        type="button"
        className="linkish soft"
        data-no-print
        aria-label={`${opener}: ${title}`}
        // biome-ignore lint/a11y/noAutofocus: the form that had the focus is gone.
        autoFocus={typed === null}
        onClick={() => setTyped(text)}
      >
        {opener}
      </button>
    );
  }
  const { error, isPending } = sending;
  /** Closes the form, unless it waits for the response: what was sent cannot be called back. */
  const close = () => {
    if (isPending || isOpen) return;
    sending.reset();
    setTyped(null);
  };
  return (
    <form
      className="stack tight"
      data-no-print
      onSubmit={(event) => {
        event.preventDefault();
        sending.mutate();
      }}
      onKeyDown={(event) => {
        if (pressedKey(event) === 'Escape') close();
      }}
    >
      {props.children}
      <LinesField
        {...field}
        text={typed}
        onType={setTyped}
        error={error ? withReason(props.failure, error) : undefined}
        hasFocus={!isOpen}
      />
      <p className="cluster tight">
        <Button type="submit" variant={isPrimary ? 'primary' : 'secondary'} isBusy={isPending}>
          {confirm}
        </Button>
        {!isOpen && (
          <Button variant="subtle" isBusy={isPending} onClick={close}>
            {cancel}
          </Button>
        )}
      </p>
    </form>
  );
};

type AddressFormProps = Pick<InlineFormProps, 'title' | 'text' | 'isOpen' | 'isPrimary' | 'send'>;

export const AddressForm = (props: AddressFormProps) => (
  <InlineForm
    {...props}
    opener={props.text ? 'Change address' : 'Add an address'}
    field={addressField}
    confirm="Save address"
    failure="The address was not changed."
  />
);

type WithdrawalFormProps = Pick<InlineFormProps, 'title' | 'opener' | 'confirm' | 'send' | 'children'>;

/** Takes an order back in two steps. The second one shows what is taken back. */
export const WithdrawalForm = ({ children, ...steps }: WithdrawalFormProps) => (
  <InlineForm
    {...steps}
    field={{ label: 'Reason (optional)', maxLength: maxReasonLength }}
    cancel="Keep the order"
    isPrimary
    failure="The order was not withdrawn."
  >
    <p>{children}</p>
  </InlineForm>
);
