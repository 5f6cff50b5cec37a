import { useState } from 'react';
import { useLocation } from 'wouter';
import { capitalized } from '../../contract/book-fields.ts';
import { minCustomerSearch } from '../../contract/desk/limits.ts';
import { type DeskView, deskViewAddress, deskViews } from '../../contract/desk/paths.ts';
import { Combobox } from '../components/combobox/combobox.tsx';
import { useShortcuts } from '../components/pressed-key.ts';
import { storeConfig } from '../store-config.ts';
import { Panel } from './panel.tsx';

/** The keys of the desk: `/` focuses the search of the view, Ctrl K opens the field below. */
export const GoTo = () => {
  const [isOpen, setIsOpen] = useState(false);
  useShortcuts({
    'ctrl k': () => setIsOpen(true),
    '/': () => document.querySelector<HTMLElement>('main input[type="search"]')?.focus(),
  });
  return isOpen && <Places onClose={() => setIsOpen(false)} />;
};

/** The views that the shop has a use for. */
export const shownViews = deskViews.filter((view) => view !== 'webhooks' || storeConfig.hasWebhooks);

/** A field that leads to every view, and finds books, orders and customers. */
const Places = ({ onClose }: { onClose: () => void }) => {
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  return (
    <Panel heading="Go to" shape="middle" onClose={onClose}>
      <Combobox
        className="box"
        aria-label="Go to"
        placeholder="A view, or words to search for"
        listLabel="Places"
        isAlwaysOpen
        autoFocus
        maxLength={200}
        value={text}
        onText={setText}
        choices={placesFor(text.trim()).map(([content, address]) => ({
          key: address,
          content,
          choose: () => {
            onClose();
            navigate(address);
          },
        }))}
      />
    </Panel>
  );
};

/** @returns the names and addresses of the views that match the words, and of searches for the words. */
const placesFor = (words: string): (readonly [name: string, address: string])[] => {
  const views = shownViews
    .filter((view) => view.includes(words.toLowerCase()))
    .map((view) => [capitalized(view), deskViewAddress(view)] as const);
  const find = (what: string, view: DeskView) =>
    [`Find ${what} “${words}”`, deskViewAddress(view, { q: words })] as const;
  return [
    ...views,
    ...(words ? [find('the book', 'books'), find('orders of', 'orders')] : []),
    ...(words.length >= minCustomerSearch ? [find('the customer', 'customers')] : []),
  ];
};
