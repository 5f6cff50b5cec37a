/**
 * The version of the catalogue: a number that grows with every change of the books by any process. A response that was
 * loaded under one version is stale under another (http/response-cache.ts).
 */

export type CatalogueVersion = {
  /**
   * The sum of local changes and of those that the database announces or counts; NaN, which equals nothing, while the
   * latter are unknown. Cheap enough for each request. Read it before the data that it stands for.
   */
  version(): number;
  /** Changes that this process has committed. */
  localChanges(): number;
  /** Changes that the database announces or counts, this process's included; NaN while unknown. */
  databaseChanges(): number;
  /** Call it after each commit that changes the books. */
  recordLocalChange(): void;
};

/** @param databaseChanges how many changes the database has announced or counted; NaN while that is unknown. */
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
