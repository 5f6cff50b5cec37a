import type { ServerResponse } from 'node:http';
import { Problem } from '../http/problems.ts';

/** Limits the uploads that are under way in this process. */
type UploadSlots = {
  /**
   * Takes a slot for an account. While the account has two, or all eight are taken, it waits for its turn.
   * @returns a function that frees the slot.
   * @throws {Problem} BUSY when too many wait already, and after ten seconds; MALFORMED_BODY when the client has gone.
   */
  take(accountId: string, response: ServerResponse): Promise<() => void>;
};

/** Enough for a person; one account alone cannot take all slots. */
const maxPerAccount = 2;
/** They bound what uploads take: 80 MB of temporary files, and a queue of eight for the image worker. */
const maxInAll = 8;
/**
 * Each that waits takes a connection, whose body is not read. One more may wait whose account holds no slot, so that a few
 * accounts do not keep out the others.
 */
const maxWaiting = { perAccount: 4, inAll: 8 };
/** On a busy machine a large image takes seconds. */
const maxWaitMs = 10_000;

export function openUploadSlots(): UploadSlots {
  /** The account of each slot that is taken. */
  const taken: string[] = [];
  /** Oldest first. */
  const waiting = new Set<{ accountId: string; begin(): void }>();

  const slotsOf = (accountId: string): number => taken.filter((account) => account === accountId).length;
  const hasSlot = (accountId: string): boolean =>
    slotsOf(accountId) < maxPerAccount && taken.length < maxInAll;
  const occupy = (accountId: string) => {
    taken.push(accountId);
    return () => {
      taken.splice(taken.indexOf(accountId), 1);
      const [next] = [...waiting]
        .filter((one) => hasSlot(one.accountId))
        .sort((one, other) => slotsOf(one.accountId) - slotsOf(other.accountId));
      next?.begin();
    };
  };
  const mayWait = (accountId: string): boolean => {
    const own = [...waiting].filter((one) => one.accountId === accountId).length;
    const inAll = maxWaiting.inAll + (slotsOf(accountId) === 0 ? 1 : 0);
    return own < maxWaiting.perAccount && waiting.size < inAll;
  };

  return {
    async take(accountId, response) {
      // A client that has gone would never free its slot.
      if (response.destroyed) throw new Problem('MALFORMED_BODY');
      if (hasSlot(accountId)) return occupy(accountId);
      if (!mayWait(accountId)) throw new Problem('BUSY');
      const { promise, resolve, reject } = Promise.withResolvers<() => void>();
      const one = {
        accountId,
        begin() {
          leave();
          resolve(occupy(accountId));
        },
      };
      const refuse = (problem: Problem) => {
        leave();
        reject(problem);
      };
      const onClose = () => refuse(new Problem('MALFORMED_BODY'));
      const timer = setTimeout(() => refuse(new Problem('BUSY')), maxWaitMs);
      const leave = () => {
        waiting.delete(one);
        clearTimeout(timer);
        response.off('close', onClose);
      };
      waiting.add(one);
      response.once('close', onClose);
      return promise;
    },
  };
}
