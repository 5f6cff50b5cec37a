import { useLocation, useSearch } from 'wouter';

/** The path and query that are shown, to return to after a sign-in. */
export const useCurrentPath = (): string => {
  const [path] = useLocation();
  const search = useSearch();
  return search ? `${path}?${search}` : path;
};
