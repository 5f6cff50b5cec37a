import type { DeskView } from '../../../contract/desk/paths.ts';

/** After `g`, the letter of each view. */
export const viewKeys: Readonly<Record<string, DeskView>> = {
  t: 'today',
  o: 'orders',
  b: 'books',
  i: 'import',
  s: 'sales',
  c: 'customers',
  a: 'activity',
  m: 'mail',
  w: 'webhooks',
};
