import { type KeyboardEvent, type SyntheticEvent, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { deskViewAddress, deskViews } from '../../../contract/desk/paths.ts';
import { minCustomerSearch, withFilters } from '../../api/desk-queries.ts';
import { pressedKey } from '../../components/pressed-key.ts';
import { viewNames } from '../desk-bar.tsx';
import { Panel } from '../panel.tsx';
import styles from './keys.module.css';

/** @returns the places that a text leads to: views, and searches for it. */
const placesFor = (text: string) => {
  const words = text.trim();
  const views = deskViews
    .filter((view) => viewNames[view].toLowerCase().includes(words.toLowerCase()))
    .map((view) => ({ name: viewNames[view], href: deskViewAddress(view) }));
  if (words === '') return views;
  const searches = [
    ['books', `Find the book “${words}”`],
    ['orders', `Find orders of “${words}”`],
    ...(words.length >= minCustomerSearch ? [['customers', `Find the customer “${words}”`] as const] : []),
  ] as const;
  return [
    ...views,
    ...searches.map(([view, name]) => ({ name, href: withFilters(deskViewAddress(view), { q: words }) })),
  ];
};

/** A field that leads to every view, and finds books, orders and customers. */
export const GoTo = ({ onClose }: { onClose: () => void }) => {
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const places = placesFor(text);
  const index = Math.min(chosen, places.length - 1);
  const go = (href: string | undefined) => {
    if (!href) return;
    onClose();
    navigate(href);
  };
  const move = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[pressedKey(event) ?? ''];
    if (!by || places.length === 0) return;
    event.preventDefault();
    setChosen((index + by + places.length) % places.length);
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    go(places[index]?.href);
  };
  return (
    <Panel heading="Go to" onClose={onClose}>
      <form onSubmit={submit}>
        <input
          className={styles.field}
          type="text"
          role="combobox"
          aria-label="A view, a book, an order or a customer"
          aria-expanded={places.length > 0}
          aria-controls={id}
          aria-activedescendant={places.length > 0 ? `${id}-${index}` : undefined}
          autoComplete="off"
          maxLength={200}
          // biome-ignore lint/a11y/noAutofocus: the person has just asked for the field.
          autoFocus
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setChosen(0);
          }}
          onKeyDown={move}
        />
        <div id={id} role="listbox" aria-label="Places" className={styles.places}>
          {places.map(({ name, href }, place) => (
            <div
              key={href}
              id={`${id}-${place}`}
              role="option"
              aria-selected={place === index}
              tabIndex={-1}
              onClick={() => go(href)}
              onKeyDown={(event) => pressedKey(event) === 'Enter' && go(href)}
            >
              {name}
            </div>
          ))}
        </div>
      </form>
    </Panel>
  );
};
