import { type ComponentType, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { deskViewAddress } from '../../../contract/desk/paths.ts';
import { isTyping, pressedKey } from '../../components/pressed-key.ts';
import { areKeysOff } from './keys-setting.ts';
import { viewKeys } from './view-keys.ts';

type Dialog = ComponentType<{ onClose: () => void }>;

const loadKeyList = async (): Promise<Dialog> => (await import('./key-list.tsx')).KeyList;
const loadGoTo = async (): Promise<Dialog> => (await import('./go-to.tsx')).GoTo;

/** How long `g` waits for its letter. */
const secondKeyMs = 1_500;

/** The rows of the view's list. Each has a box, or none, and what opens it. */
const rowOf = (element: Element | null) => element?.closest('main tbody tr[data-key]') ?? null;
const opener = (row: Element | null) => row?.querySelector<HTMLElement>('[data-opens-row]');

function moveTo(direction: 'next' | 'previous'): void {
  const row = rowOf(document.activeElement);
  const rows = [...document.querySelectorAll('main tbody tr[data-key]')].filter((one) => opener(one));
  const at = row ? rows.indexOf(row) : -1;
  const next = direction === 'next' ? rows[at + 1] : rows[Math.max(at - 1, 0)];
  opener(next ?? null)?.focus();
}

const pressed: Readonly<Record<string, () => void>> = {
  j: () => moveTo('next'),
  k: () => moveTo('previous'),
  x: () => rowOf(document.activeElement)?.querySelector<HTMLElement>('input[type="checkbox"]')?.click(),
  e: () => opener(rowOf(document.activeElement))?.click(),
  '/': () => document.querySelector<HTMLElement>('main input[type="search"]')?.focus(),
};

/** The keys of the desk. None acts while one types, nor with a panel open. */
export const Keys = () => {
  const [Open, setOpen] = useState<Dialog>();
  const [, navigate] = useLocation();
  useEffect(() => {
    let goUntil = 0;
    // Without a connection nothing opens; the next press loads it again.
    const open = (load: () => Promise<Dialog>) =>
      load().then(
        (Dialog) => setOpen(() => Dialog),
        () => undefined,
      );
    const press = (event: KeyboardEvent) => {
      const key = pressedKey(event);
      if (!key || isTyping(event.target) || document.querySelector('dialog[open]')) return;
      if (key === 'ctrl k') {
        event.preventDefault();
        void open(loadGoTo);
        return;
      }
      if (areKeysOff()) return;
      const view = performance.now() < goUntil ? viewKeys[key] : undefined;
      goUntil = key === 'g' ? performance.now() + secondKeyMs : 0;
      const act = view ? () => navigate(deskViewAddress(view)) : pressed[key];
      if (key === '?') void open(loadKeyList);
      else if (act) act();
      else return;
      // A letter that moves the focus into a field is not typed there.
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [navigate]);
  return Open && <Open onClose={() => setOpen(undefined)} />;
};
