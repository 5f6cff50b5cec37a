/** The demo provider's storage: it ends with the process, and has a fixed maximum of entries. */

import type { Adapter, AdapterPayload } from 'oidc-provider';

const maxEntries = 500;

/** Entries with a lifetime. A new one replaces the oldest of a full memory: that sign-in can be started again. */
export class ExpiringMemory<Value> {
  readonly #entries = new Map<string, { value: Value; expiresAtMs: number }>();

  /** Makes the entry the newest one, also if the key was set before. */
  set(key: string, value: Value, lifetimeS: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, expiresAtMs: Date.now() + lifetimeS * 1000 });
    const [oldestKey = key] = this.#entries.keys();
    if (this.#entries.size > maxEntries) this.#entries.delete(oldestKey);
  }

  /** @returns the value; undefined if there is none or its lifetime is over. */
  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    return entry && entry.expiresAtMs > Date.now() ? entry.value : undefined;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  deleteWhere(matches: (value: Value) => boolean): void {
    for (const [key, { value }] of this.#entries) {
      if (matches(value)) this.#entries.delete(key);
    }
  }
}

/** For records that oidc-provider stores without a lifetime. */
const defaultLifetimeS = 3600;

/**
 * @param kind the name that oidc-provider gives to a kind of record, such as `AccessToken`.
 * @returns oidc-provider's storage for records of this kind.
 */
export function memoryAdapter(kind: string): Adapter {
  const records = new ExpiringMemory<AdapterPayload>();
  // With a session the provider would sign in the same person again. In a demo the visitor wants to switch persons.
  const isStored = kind !== 'Session';
  return {
    upsert: async (id, payload, lifetimeS = defaultLifetimeS) => {
      if (isStored) records.set(id, payload, lifetimeS);
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
    destroy: async (id) => records.delete(id),
    revokeByGrantId: async (grantId) => records.deleteWhere((record) => record.grantId === grantId),
  };
}
