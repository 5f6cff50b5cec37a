/** The rows that the customer has opened. They stay open after a reload, and when the customer comes back from a book. */

import { useState } from 'react';
import { tabStorage } from '../../memory/tab-storage.ts';

const storageKey = 'open-orders';
/** Those that were opened last. */
const maxRemembered = 50;

const openIds = (): string[] => tabStorage.read<string[]>(storageKey) ?? [];

/** @returns whether the row of an order is open, and what opens or closes it. */
export const useOpenOrder = (id: string): [isOpen: boolean, toggle: () => void] => {
  const [isOpen, setIsOpen] = useState(() => openIds().includes(id));
  const toggle = () => {
    const others = openIds().filter((other) => other !== id);
    tabStorage.write(storageKey, isOpen ? others : [...others, id].slice(-maxRemembered));
    setIsOpen(!isOpen);
  };
  return [isOpen, toggle];
};
