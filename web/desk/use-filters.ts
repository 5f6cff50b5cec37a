/** The filters and the open panel of a list on the desk. The address has them, so that Back, a reload and a sign-in return to them. */

import { useLocation, useSearchParams } from 'wouter';
import { type Filters, withFilters } from '../../contract/paths.ts';
import { inPlace } from '../list/places.ts';

const inAddress = (): Filters => Object.fromEntries(new URLSearchParams(window.location.search));

/** Changes some parameters of the address; the other parameters, such as the open panel, stay. */
const useChange = () => {
  const [path, navigate] = useLocation();
  return (changes: Filters, options: { replace?: boolean; state: object }) =>
    navigate(withFilters(path, { ...inAddress(), ...changes }), options);
};

/** @returns `filters`, the parameters of these names, empty if missing; and `change`, which changes some of them. */
export const useFilters = (names: readonly string[]) => {
  const [parameters] = useSearchParams();
  const changeAddress = useChange();
  const filters: Filters = Object.fromEntries(
    names.map((name) => [name, parameters.get(name)?.trim() ?? '']),
  );
  const change = (changes: Filters) => changeAddress(changes, { replace: true, state: inPlace });
  return { filters, change };
};

export const areSet = (filters: Filters): boolean => Object.values(filters).some((value) => value !== '');

/**
 * The open panel. @param name of the address's parameter. @returns `openId`, the id of what the panel shows, empty for none; `open`, `close`,
 * and `step`, which shows another record in the open panel.
 */
export const useOpenPanel = (name: string) => {
  const [parameters] = useSearchParams();
  const changeAddress = useChange();
  /** Opening marks the history entry, so that closing the panel goes back. */
  const open = (id: string) => changeAddress({ [name]: id }, { state: { ...inPlace, isPanel: true } });
  const step = (id: string) =>
    changeAddress({ [name]: id }, { replace: true, state: { ...window.history.state } });
  /** Closes the panel of this id, unless it shows another id by now: a response may come late. */
  const close = (id: string) => {
    if (inAddress()[name] !== id) return;
    if (window.history.state?.isPanel) window.history.back();
    else changeAddress({ [name]: '' }, { replace: true, state: inPlace });
  };
  return { openId: parameters.get(name)?.trim() ?? '', open, step, close };
};
