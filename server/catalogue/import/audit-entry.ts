/** The entry of an import in the audit trail: one, from its first change on, with counts that no crash makes wrong. */

import { v7 as newId } from 'uuid';
import { type Actor, findDetails, recordActivity, updateDetails } from '../../activity/activity.ts';
import type { Db } from '../../database/tables.ts';

/** How far an import is. */
export type Tally = {
  added: number;
  /** With the restored ones. */
  changed: number;
  restored: number;
  unchanged: number;
  errors: number;
  /** The line up to which all is done. */
  line: number;
};

export type AuditEntry = {
  /**
   * Writes the entry as it is now.
   * @param db the transaction of what is counted: a crash then loses both or neither. One whose process was killed stays
   * `running`.
   */
  write(db: Db, tally: Tally, state: 'running' | 'finished' | 'stopped'): Promise<void>;
  /** @returns what was written last; undefined if nothing was. */
  read(db: Db): Promise<Tally | undefined>;
};

export function openAuditEntry(actor: Actor): AuditEntry {
  const subject = newId();
  return {
    async write(db, { line, ...counts }, state) {
      const details = { state, ...counts, line };
      if (await updateDetails(db, 'books-imported', subject, details)) return;
      await recordActivity(db, 'books-imported', actor, { subject, details });
    },
    async read(db) {
      const details = await findDetails(db, 'books-imported', subject);
      return details as Tally | undefined;
    },
  };
}
