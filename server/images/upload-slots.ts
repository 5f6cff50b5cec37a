import { Problem } from '../http/problems.ts';

/** Limits the uploads that are under way in this process. */
type UploadSlots = {
  /**
   * Takes a slot for an account.
   * @returns a function that frees it.
   * @throws {Problem} BUSY while the account has two slots, or all eight are taken.
   */
  take(accountId: string): () => void;
};

/** Enough for a person; one account alone cannot take all slots. */
const maxPerAccount = 2;
/** They bound what uploads take: 80 MB of temporary files, and a queue of eight for the image worker. */
const maxInAll = 8;

export function openUploadSlots(): UploadSlots {
  /** The account of each slot that is taken. */
  const taken: string[] = [];
  return {
    take(accountId) {
      const own = taken.filter((account) => account === accountId).length;
      if (own >= maxPerAccount || taken.length >= maxInAll) throw new Problem('BUSY');
      taken.push(accountId);
      return () => {
        taken.splice(taken.indexOf(accountId), 1);
      };
    },
  };
}
