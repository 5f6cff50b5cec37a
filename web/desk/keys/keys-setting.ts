/** Single letters can be switched off: a person who speaks to the computer presses many (WCAG 2.1.4). */

const storageKey = 'desk-keys';

export const areKeysOff = (): boolean => {
  try {
    return localStorage.getItem(storageKey) === 'off';
  } catch {
    return false;
  }
};

export const switchKeys = (isOn: boolean): void => {
  try {
    if (isOn) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, 'off');
  } catch {
    // A browser that stores nothing keeps the keys.
  }
};
