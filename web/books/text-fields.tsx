import { Fragment, type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import type { BookField, BookTexts } from '../../contract/book-fields.ts';
import { seriesIn, volumeText } from '../../contract/series.ts';
import { fieldErrorIn } from '../api/client.ts';
import { Button } from '../components/button.tsx';
import { Field, LinesField } from '../components/field.tsx';
import { pressedKey } from '../components/pressed-key.ts';

/**
 * Shows the store's errors at the fields of a form, and focuses the first one. @returns `form`, the form's ref; `errorAt`; and `isAtField`,
 * whether an error is at one of the fields.
 */
export const useFieldErrors = (error: Error | null, fields: readonly BookField[]) => {
  const form = useRef<HTMLFormElement>(null);
  const errorAt = ({ errorPath }: BookField) => fieldErrorIn(error, errorPath);
  useLayoutEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  return { form, errorAt, isAtField: fields.some(errorAt) };
};

type TextFieldsProps = {
  fields: readonly BookField[];
  typed: BookTexts;
  onType: (changes: Partial<BookTexts>) => void;
  errorAt: (field: BookField) => string | undefined;
  below?: (field: BookField) => ReactNode;
};

export const TextFields = ({ fields, typed, onType, errorAt, below }: TextFieldsProps) =>
  fields.map((field) => {
    const { name, label, kind, example } = field;
    const part = { label, error: errorAt(field) };
    const onText = (text: string) => onType({ [name]: text });
    return (
      <Fragment key={name}>
        {kind === 'lines' ? (
          <LinesField {...part} text={typed[name]} onType={onText} />
        ) : (
          <Field
            {...part}
            value={typed[name]}
            onChange={({ target }) => onText(target.value)}
            {...(kind === 'price' && { inputMode: 'decimal' })}
            {...(kind === 'count' && { inputMode: 'numeric', placeholder: 'unlimited' })}
            {...(kind === 'number' && { inputMode: 'numeric' })}
            {...((kind === 'language' || kind === 'published') && { placeholder: example })}
            {...(kind === 'isbn' && { onKeyDown: selectOnEnter })}
          />
        )}
        {name === 'seriesNumber' && <SeriesInTitle typed={typed} onType={onType} />}
        {below?.(field)}
      </Fragment>
    );
  });

/** Takes the series from a title such as `Bayou Moon (The Edge, #2)`, which stays as it is. */
const SeriesInTitle = ({ typed, onType }: Pick<TextFieldsProps, 'typed' | 'onType'>) => {
  const found = typed.series === '' ? seriesIn(typed.title) : undefined;
  const take = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    // The button goes away with the focus.
    currentTarget.previousElementSibling?.querySelector('input')?.focus();
    onType({ ...found });
  };
  return found && <Button onClick={take}>Take “{volumeText(found)}” from the title</Button>;
};

/** A hand scanner types Enter after the digits, which must not submit the form. Its next read replaces the digits. */
const selectOnEnter = (event: KeyboardEvent<HTMLInputElement>) => {
  if (pressedKey(event) !== 'Enter') return;
  event.preventDefault();
  event.currentTarget.select();
};
