/** The demo provider's storage: it ends with the process, and has a fixed maximum of entries. */

import type { Adapter, AdapterPayload } from 'oidc-provider';
import { BoundedMap } from '../database/bounded-map.ts';

/** A visitor whose entry was removed can begin the sign-in again. */
export const maxEntries = 500;

/**
 * @param kind the name that oidc-provider gives to a kind of record, such as `AccessToken`.
 * @returns oidc-provider's storage for records of this kind.
 */
export function memoryAdapter(kind: string): Adapter {
  const records = new BoundedMap<string, AdapterPayload>({ maxEntries });
  // With a session the provider would sign in the same person again. In a demo the visitor wants to switch persons.
  const isStored = kind !== 'Session';
  return {
    // The lifetime is not needed: oidc-provider checks the expiry of each record that it finds.
    upsert: async (id, payload) => {
      if (isStored) records.set(id, payload);
    },
    find: async (id) => records.get(id),
    // Called for sessions only, which are not stored.
    findByUid: async () => undefined,
    // Called by the device flow only, which is off.
    findByUserCode: async () => undefined,
    consume: async (id) => {
      const record = records.get(id);
      if (record) record.consumed = Math.floor(Date.now() / 1000);
    },
    destroy: async (id) => {
      records.delete(id);
    },
    revokeByGrantId: async (grantId) => {
      for (const [id, record] of records) if (record.grantId === grantId) records.delete(id);
    },
  };
}
