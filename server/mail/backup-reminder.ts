import { findLastBackup, isOld } from '../database/last-backup.ts';
import type { Db } from '../database/tables.ts';
import { dayMs, timeText } from '../database/times.ts';
import type { Mail } from './mail.ts';

/**
 * Writes to the shop that its last backup is old: 2, 4, 8 and so on days after it, so that a shop which uses other backups soon gets few
 * messages. Call this function every hour. Several nodes send the same message, which mail programs show once.
 */
export function openBackupReminder({ tellShop, sender }: Mail): (db: Db) => Promise<void> {
  let sentId: string | undefined;
  return async function remindOfBackup(db) {
    const now = Date.now();
    const backup = await findLastBackup(db);
    if (!backup || !isOld(backup, now)) return;
    const days = Math.floor((now - backup.startedAt) / dayMs);
    const isPowerOfTwo = (days & (days - 1)) === 0;
    const id = `backup-${backup.startedAt}-${days}`;
    if (!isPowerOfTwo || id === sentId) return;
    const begun = timeText(backup.startedAt).slice(0, 16).replace('T', ' ');
    await tellShop({
      id,
      subject: `No backup for ${days} days`,
      text:
        `The last good backup of ${sender.storeName} was begun ${days} days ago, at ${begun} UTC. ` +
        'Orders since then are in no backup: see whether the backups still run, and whether their disk is full.\n',
    });
    sentId = id;
  };
}
