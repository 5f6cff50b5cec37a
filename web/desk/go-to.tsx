import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { capitalized } from '../../contract/book-fields.ts';
import { minCustomerSearch } from '../../contract/desk/limits.ts';
import { deskViewAddress, deskViews } from '../../contract/desk/paths.ts';
import { withFilters } from '../api/calls.ts';
import { Combobox } from '../components/combobox/combobox.tsx';
import { isTyping, pressedKey } from '../components/pressed-key.ts';
import { Panel } from './panel.tsx';

/** The keys of the desk: `/` leads to the search of the view, Ctrl K to any place. Neither acts while one types, nor with a panel open. */
export const GoTo = () => {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isTyping(event.target) || document.querySelector('dialog[open]')) return;
      const key = pressedKey(event);
      if (key === 'ctrl k') setIsOpen(true);
      else if (key === '/') document.querySelector<HTMLElement>('main input[type="search"]')?.focus();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  return isOpen && <Places onClose={() => setIsOpen(false)} />;
};

/** A field that leads to every view, and finds books, orders and customers. */
const Places = ({ onClose }: { onClose: () => void }) => {
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const place = (content: string, address: string) => ({
    key: address,
    content,
    choose: () => {
      onClose();
      navigate(address);
    },
  });
  return (
    <Panel heading="Go to" onClose={onClose}>
      <Combobox
        className="box"
        aria-label="A view, a book, an order or a customer"
        listLabel="Places"
        isAlwaysOpen
        autoFocus
        maxLength={200}
        value={text}
        onText={setText}
        choices={placesFor(text.trim()).map(([name, address]) => place(name, address))}
      />
    </Panel>
  );
};

/** @returns the names and addresses that words lead to: views, and searches for them. */
const placesFor = (words: string): (readonly [name: string, address: string])[] => {
  const find = (view: 'books' | 'orders' | 'customers') => withFilters(deskViewAddress(view), { q: words });
  return [
    ...deskViews
      .filter((view) => view.includes(words.toLowerCase()))
      .map((view) => [capitalized(view), deskViewAddress(view)] as const),
    ...(words ? [[`Find the book “${words}”`, find('books')] as const] : []),
    ...(words ? [[`Find orders of “${words}”`, find('orders')] as const] : []),
    ...(words.length >= minCustomerSearch
      ? [[`Find the customer “${words}”`, find('customers')] as const]
      : []),
  ];
};
