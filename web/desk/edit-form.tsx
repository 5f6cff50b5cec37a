import type { ComponentProps, SyntheticEvent } from 'react';
import { Button } from '../components/button.tsx';
import { Field, LinesField } from '../components/field.tsx';
import { ActButton, type Done, useAct } from './acts.tsx';

type EditField = Omit<ComponentProps<'input'>, 'type' | 'name'> & {
  name: string;
  label: string;
  hint?: string;
  type?: 'number' | 'checkbox' | 'lines';
};

type ValueOf<One> = One extends { type: 'checkbox' } ? boolean : string;
type Values<Fields extends readonly EditField[]> = { [One in Fields[number] as One['name']]: ValueOf<One> };

type EditFormProps<Fields extends readonly EditField[]> = {
  fields: Fields;
  values?: { [Name in keyof Values<Fields>]?: Values<Fields>[Name] | null | undefined };
  save: (typed: Values<Fields>) => Promise<Done | undefined>;
  problem?: string;
  word?: string;
  variant?: 'primary' | 'secondary';
  onDone?: () => void;
  /** Removes the record, which `what` names for screen readers. */
  remove?: { what: string; run: () => Promise<Done> } | undefined;
};

/** The form of a small record that the owner edits, whose fields are data. */
export const EditForm = <const Fields extends readonly EditField[]>(props: EditFormProps<Fields>) => {
  const { fields, save, problem, word = 'Save', variant = 'primary', onDone, remove } = props;
  const values: Readonly<Record<string, unknown>> = props.values ?? {};
  const { act, isBusy } = useAct();
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const typedIn = ({ name, type }: EditField) =>
      // The store accepts no tabs, which text from a table has.
      type === 'checkbox' ? form.has(name) : `${form.get(name)}`.replaceAll('\t', ' ');
    // The cast restores the types, which `fromEntries` loses.
    const typed = Object.fromEntries(fields.map((field) => [field.name, typedIn(field)])) as Values<Fields>;
    if (!isBusy) act({ run: async () => (await save(typed)) ?? { text: 'Saved.' }, problem, onDone });
  };
  return (
    <form className="stack" onSubmit={submit}>
      {fields.map((field) => (
        <FieldOf key={field.name} {...field} value={values[field.name]} />
      ))}
      <div className="cluster">
        <Button type="submit" variant={variant} isBusy={isBusy}>
          {word}
        </Button>
        {remove && (
          <ActButton {...remove} name="Remove" variant="secondary" isRepeatable={false} onDone={onDone} />
        )}
      </div>
    </form>
  );
};

const FieldOf = ({ type, label, hint, value, ...box }: Omit<EditField, 'value'> & { value: unknown }) => {
  if (type === 'checkbox') {
    return (
      <label className="choice">
        <input type="checkbox" defaultChecked={value === true} {...box} />
        {label}
      </label>
    );
  }
  const field = { label, hint, defaultValue: `${value ?? ''}` };
  if (type !== 'lines') return <Field {...field} type={type} {...box} />;
  const { name, maxLength, required } = box;
  return <LinesField {...field} {...{ name, maxLength, required }} />;
};
