/** @returns a replacement for `sessionStorage` in a test. */
export const storageWith = (initialEntries: [string, string][] = []) => {
  const entries = new Map(initialEntries);
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  };
};
