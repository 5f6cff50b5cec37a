/** The filters and the open panel of a list of the desk. They are part of the address, so that Back, a reload and a sign-in return to them. */

import { useLocation, useSearchParams } from 'wouter';
import { type Filters, withFilters } from '../../contract/paths.ts';
import { inPlace } from '../list/places.ts';

const inAddress = (): Filters => Object.fromEntries(new URLSearchParams(window.location.search));

/** Changes some parameters of the address. The others stay, such as the panel that is open. */
const useChange = () => {
  const [path, navigate] = useLocation();
  return (changes: Filters, options: { replace?: boolean; state: object }) =>
    navigate(withFilters(path, { ...inAddress(), ...changes }), options);
};

/** @returns `filters`, the parameters of these names, empty where there is none; and `change`, which changes some of them. */
export const useFilters = (names: readonly string[]) => {
  const [parameters] = useSearchParams();
  const changeAddress = useChange();
  const filters: Filters = Object.fromEntries(
    names.map((name) => [name, parameters.get(name)?.trim() ?? '']),
  );
  const change = (changes: Filters) => changeAddress(changes, { replace: true, state: inPlace });
  return { filters, change };
};

/** @returns whether a list is restricted to anything. */
export const areSet = (filters: Filters): boolean => Object.values(filters).some((value) => value !== '');

/**
 * The id of what a panel shows.
 * @param name of the parameter.
 * @returns `openId`, empty for none; `open` and `close`.
 */
export const useOpenPanel = (name: string) => {
  const [parameters] = useSearchParams();
  const changeAddress = useChange();
  /** Its entry of the history is marked: Back closes it. */
  const open = (id: string) => changeAddress({ [name]: id }, { state: { ...inPlace, isPanel: true } });
  /** Closes the panel of this id, unless another one is shown by now: a response may come late. */
  const close = (id: string) => {
    if (inAddress()[name] !== id) return;
    if (window.history.state?.isPanel) window.history.back();
    else changeAddress({ [name]: '' }, { replace: true, state: inPlace });
  };
  return { openId: parameters.get(name)?.trim() ?? '', open, close };
};
