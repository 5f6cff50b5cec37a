import { useLocation, useSearchParams } from 'wouter';
import { withFilters } from '../api/calls.ts';
import { inPlace } from '../list/places.ts';

/** The state of an entry of the history that was made by opening the panel: Back closes it. */
const panelState = { ...inPlace, isPanel: true };

/**
 * The id of what a panel shows is part of the address, so that Back closes it, and a reload and a sign-in return to it.
 * @param name of the parameter.
 * @returns `openId`, empty for none; `open` and `close`.
 */
export const useOpenPanel = (name: string) => {
  const [parameters, setParameters] = useSearchParams();
  const [path, navigate] = useLocation();
  const open = (id: string) => {
    const others = Object.fromEntries(new URLSearchParams(window.location.search));
    navigate(withFilters(path, { ...others, [name]: id }), { state: panelState });
  };
  /** Closes the panel of this id, unless another one is shown by now: a response may come late. */
  const close = (id: string) => {
    if (new URLSearchParams(window.location.search).get(name) !== id) return;
    if (window.history.state?.isPanel) {
      window.history.back();
      return;
    }
    const without = (current: URLSearchParams) => {
      const next = new URLSearchParams(current);
      next.delete(name);
      return next;
    };
    setParameters(without, { replace: true, state: inPlace });
  };
  return { openId: parameters.get(name)?.trim() ?? '', open, close };
};
