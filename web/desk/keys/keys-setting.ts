/** Single letters can be switched off: a person who speaks to the computer presses many (WCAG 2.1.4). */

import { browserStore } from '../../memory/platform-later.ts';

const storageKey = 'desk-keys';

export const areKeysOff = (): boolean => browserStore.read(storageKey) === 'off';

export const switchKeys = (isOn: boolean): void => {
  if (isOn) browserStore.remove(storageKey);
  else browserStore.write(storageKey, 'off');
};
