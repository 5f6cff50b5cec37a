import { type SyntheticEvent, useState } from 'react';
import { maxWayLine, maxWayName } from '../../../contract/desk/limits.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import type { Way, WaySettings } from '../../../contract/ways.ts';
import { list, send } from '../../api/calls.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { Listed } from '../../components/listed.tsx';
import { useList } from '../../list/use-list.ts';
import { randomId } from '../../memory/platform.ts';
import { money } from '../../store-config.ts';
import { ActButton, useAct } from '../acts.tsx';
import { amount, text, title } from '../columns.tsx';
import { useOpenList } from '../list-context.ts';
import { listView, type PanelOf } from '../list-view.tsx';
import { Panel } from '../panel.tsx';

const waysQuery = () => list<Way>('desk', deskPaths.ways);

/** The panel's id for a way that is not saved yet. No way has it: ids have letters, digits and `-` alone. */
const newWayId = '*';

const AddWay = () => {
  const { open } = useOpenList();
  return <Button onClick={() => open(newWayId)}>Add a way</Button>;
};

/** The panel of a way, which changes or removes it; or of a new one. */
const WayPanel = ({ id, close }: PanelOf) => (
  <Panel heading={id === newWayId ? 'A new way' : 'Way'} onClose={close}>
    <Listed
      found={useList(waysQuery())}
      problem="The ways could not be fetched."
      whenEmpty={<WayForm close={close} />}
    >
      {(ways) => {
        const at = ways.findIndex((way) => way.id === id);
        return <WayForm way={ways[at]} position={at + 1} close={close} />;
      }}
    </Listed>
  </Panel>
);

const setWay = (id: string, settings: WaySettings) => send('POST', deskPaths.way(id), settings);

type WayFormProps = { way?: Way | undefined; position?: number; close: () => void };

const WayForm = ({ way, position, close }: WayFormProps) => {
  const { act, isBusy } = useAct();
  const [newId] = useState(randomId);
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const run = async () => {
      await setWay(way?.id ?? newId, {
        name: `${typed.get('name')}`,
        price: { value: `${typed.get('price')}` },
        asksAddress: typed.has('asksAddress'),
        payOnCollection: typed.has('payOnCollection'),
        line: `${typed.get('line')}`,
        ...(typed.get('position') && { position: Number(typed.get('position')) }),
      });
      return { text: `Saved ${typed.get('name')}.` };
    };
    if (!isBusy) act({ run, problem: 'The way was not saved.', onDone: close });
  };
  const remove = async (removed: Way) => {
    await send('POST', deskPaths.wayRemove(removed.id));
    const { id, ...settings } = removed;
    return {
      text: `Removed ${removed.name}.`,
      undo: () => setWay(id, { ...settings, ...(position && { position }) }),
    };
  };
  return (
    <form className="stack" onSubmit={submit}>
      <Field label="Name" name="name" defaultValue={way?.name} maxLength={maxWayName} required />
      <Field
        label={money.named('Price')}
        name="price"
        inputMode="decimal"
        defaultValue={way ? money.write(way.price.value) : ''}
        required
      />
      <Field label="A line for the buyer" name="line" defaultValue={way?.line} maxLength={maxWayLine} />
      <div className="cluster loose">
        <label className="choice">
          <input type="checkbox" name="asksAddress" defaultChecked={way?.asksAddress ?? true} />
          Ask for an address
        </label>
        <label className="choice">
          <input type="checkbox" name="payOnCollection" defaultChecked={way?.payOnCollection} />
          Paid on collection
        </label>
      </div>
      {way && (
        <Field
          label="Place in the list"
          name="position"
          type="number"
          min={1}
          defaultValue={position}
          required
        />
      )}
      <div className="cluster">
        <Button type="submit" variant="primary" isBusy={isBusy}>
          Save
        </Button>
        {way && (
          <ActButton
            name="Remove"
            what={way.name}
            variant="secondary"
            isRepeatable={false}
            run={() => remove(way)}
            problem="The way was not removed."
            onDone={close}
          />
        )}
      </div>
    </form>
  );
};

export const Ways = listView<Way>({
  name: 'Ways',
  about: 'How buyers get a book, and what it costs. Without any, the checkout asks for an address alone.',
  one: 'way',
  query: waysQuery,
  keyOf: ({ id }) => id,
  Actions: AddWay,
  columns: [
    title('Way', ({ id, name, line }) => ({ title: name, opens: id, below: [line] })),
    text('Checkout', ({ asksAddress }) => (asksAddress ? 'Asks for an address' : 'Asks for no address')),
    text('Payment', ({ payOnCollection }) =>
      payOnCollection ? 'Paid on collection' : 'Paid with the order',
    ),
    amount('Price', ({ price }) => price.value),
  ],
  panel: { by: 'way', Panel: WayPanel },
  empty: { none: 'No ways yet.', matching: '', all: '' },
});
