import { type ComponentProps, type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { pressedKey } from '../pressed-key.ts';
import styles from './combobox.module.css';

/** An entry of the list. `choose` runs when the visitor takes it. */
export type Choice = { key: string; content: ReactNode; choose: () => void };

type ComboboxProps = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'role' | 'autoComplete'> & {
  value: string;
  onText: (text: string) => void;
  choices: readonly Choice[];
  /** The list's name for screen readers. */
  listLabel: string;
  listClass?: string | undefined;
  /**
   * True if the list is always open, with its first entry marked for Enter. Otherwise the list opens when the visitor types, has no entry
   * marked, and closes by Enter, Escape and Tab.
   */
  isAlwaysOpen?: boolean;
};

/**
 * A text field with a list of entries, by the combobox pattern of WAI-ARIA: the focus stays in the field, arrow keys go through the list,
 * and Enter takes an entry. `onKeyDown` gets the keys that the list does not use.
 */
export const Combobox = ({
  value,
  onText,
  choices,
  listLabel,
  listClass = '',
  isAlwaysOpen = false,
  onKeyDown,
  ...input
}: ComboboxProps) => {
  const listId = useId();
  const [isOpened, setIsOpened] = useState(false);
  const [marked, setMarked] = useState<string>();
  const isOpen = (isOpened || isAlwaysOpen) && choices.length > 0;
  const found = choices.findIndex(({ key }) => key === marked);
  const first = isAlwaysOpen ? 0 : -1;
  const active = isOpen ? Math.max(found, first) : -1;
  const show = (isShown: boolean) => {
    setIsOpened(isShown);
    setMarked(undefined);
  };
  const choose = (choice: Choice | undefined) => {
    show(false);
    choice?.choose();
  };
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    const key = pressedKey(event);
    const step = { ArrowDown: 1, ArrowUp: -1 }[key ?? ''];
    if (isOpen && step) {
      // After the last entry, the arrow key marks no entry, unless one is always marked.
      const stops = choices.length - first;
      setMarked(choices[((active - first + step + stops) % stops) + first]?.key);
    } else if (key === 'Enter' && active >= 0) choose(choices[active]);
    else if (key === 'Escape' && isOpen && !isAlwaysOpen) show(false);
    else {
      if (key === 'Enter' || key === 'Tab') show(false);
      onKeyDown?.(event);
      return;
    }
    event.preventDefault();
  };
  return (
    <>
      <input
        {...input}
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={active >= 0 ? `${listId}-${active}` : undefined}
        value={value}
        onChange={({ target }) => {
          onText(target.value);
          show(true);
        }}
        onBlur={() => show(false)}
        onKeyDown={onKey}
      />
      {isOpen && (
        <div
          id={listId}
          role="listbox"
          tabIndex={-1}
          aria-label={listLabel}
          className={`${styles.list} ${listClass}`}
          // This keeps the focus in the field.
          onPointerDown={(event) => event.preventDefault()}
        >
          {choices.map((choice, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys.
            <div
              key={choice.key}
              id={`${listId}-${index}`}
              role="option"
              className="cluster whole"
              tabIndex={-1}
              aria-selected={index === active}
              ref={index === active ? bringIntoView : undefined}
              onClick={() => choose(choice)}
              // An entry that appears under a resting pointer is not marked.
              onPointerMove={() => setMarked(choice.key)}
            >
              {choice.content}
            </div>
          ))}
        </div>
      )}
    </>
  );
};

const bringIntoView = (option: HTMLElement | null) => option?.scrollIntoView({ block: 'nearest' });
