/** What tells that the catalogue has changed, whoever changed it. */

import type { Database } from '../database/open.ts';

export type CatalogueChanges = {
  /** To be called after each change that this process has committed. */
  changed(): void;
  /** How many of them there were. */
  ownChanges(): number;
  /**
   * Differs from an earlier mark when the catalogue may have changed since; NaN, which differs from everything, while
   * that cannot be told. It is taken before what it is to stand for is read. Costs next to nothing.
   */
  mark(): number;
};

export function watchCatalogue({ changesByOthers }: Pick<Database, 'changesByOthers'>): CatalogueChanges {
  let ownChanges = 0;
  return {
    changed() {
      ownChanges += 1;
    },
    ownChanges: () => ownChanges,
    // Both only ever count up, so that their sum tells of a change of either.
    mark: () => ownChanges + changesByOthers(),
  };
}
