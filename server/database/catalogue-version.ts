export type CatalogueVersion = {
  /** A number that grows with every change of the books by any process; NaN, which equals nothing, while it is unknown. Read it before the data. */
  version(): number;
  /** The changes that this process has recorded. */
  localChanges(): number;
  /** The changes that the database announces or counts, also those of this process; NaN while unknown. */
  databaseChanges(): number;
  /** Call it after the commit and before the response: what the database announces may arrive later. */
  recordLocalChange(): void;
};

export function createCatalogueVersion(databaseChanges: () => number): CatalogueVersion {
  let localChanges = 0;
  return {
    // Both numbers only grow, so their sum changes when either does.
    version: () => localChanges + databaseChanges(),
    localChanges: () => localChanges,
    databaseChanges,
    recordLocalChange() {
      localChanges += 1;
    },
  };
}
