import { useState } from 'react';
import { maxWayLine, maxWayName } from '../../../contract/desk/limits.ts';
import { deskPaths } from '../../../contract/desk/paths.ts';
import type { Way, WaySettings } from '../../../contract/ways.ts';
import { list, send } from '../../api/calls.ts';
import { Price } from '../../components/price.tsx';
import { randomId } from '../../memory/platform.ts';
import { money } from '../../store-config.ts';
import { control, newId, Opener, text, title } from '../columns.tsx';
import { EditForm } from '../edit-form.tsx';
import { listView, type PanelOf } from '../list-view.tsx';
import { Panel } from '../panel.tsx';

const fields = [
  { name: 'name', label: 'Name', maxLength: maxWayName, required: true },
  { name: 'price', label: money.named('Price'), inputMode: 'decimal', required: true },
  { name: 'line', label: 'A line for the buyer', maxLength: maxWayLine },
  { name: 'asksAddress', label: 'Ask for an address', type: 'checkbox' },
  { name: 'payOnCollection', label: 'Paid on collection', type: 'checkbox' },
  { name: 'position', label: 'Place in the list', type: 'number', min: 1, required: true },
] as const;

const setWay = (id: string, settings: WaySettings) => send('POST', deskPaths.way(id), settings);

const WayPanel = ({ id, close, rows: ways }: PanelOf<Way>) => {
  const [freshId] = useState(randomId);
  const way = ways.find((one) => one.id === id);
  const position = (way ? ways.indexOf(way) : ways.length) + 1;
  const price = way && money.write(way.price.value);
  const remove = async ({ id, ...settings }: Way) => {
    await send('POST', deskPaths.wayRemove(id));
    return { text: `Removed ${settings.name}.`, undo: () => setWay(id, { ...settings, position }) };
  };
  if (!way && id !== newId) return null;
  return (
    <Panel heading={way ? 'Way' : 'A new way'} onClose={close}>
      <EditForm
        fields={fields}
        values={{ asksAddress: true, ...way, price, position: String(position) }}
        save={async ({ price, position, ...settings }) => {
          const numbers = { price: { value: price }, position: Number(position) };
          await setWay(way?.id ?? freshId, { ...settings, ...numbers });
          return { text: `Saved ${settings.name}.` };
        }}
        onDone={close}
        remove={way && { what: way.name, run: () => remove(way) }}
      />
    </Panel>
  );
};

export const Ways = listView<Way>({
  name: 'Ways',
  about: 'How buyers get a book, and what it costs. Without any, the checkout asks for an address alone.',
  one: 'way',
  query: () => list('desk', deskPaths.ways),
  keyOf: ({ id }) => id,
  Actions: () => <Opener name="Add a way" id={newId} />,
  columns: () => [
    title('Way', ({ id, name, line }) => ({ title: name, opens: id, below: [line] })),
    text('Checkout', ({ asksAddress }) => (asksAddress ? 'Asks for an address' : 'Asks for no address')),
    text('Payment', ({ payOnCollection }) =>
      payOnCollection ? 'Paid on collection' : 'Paid with the order',
    ),
    control('Price', ({ price }) => (price.value > 0 ? <Price value={price.value} /> : 'Free')),
  ],
  Panel: WayPanel,
});
