/** The demo provider's memory: nothing outlives the process, and it never grows past a fixed number of entries. */

import type { Adapter, AdapterPayload } from 'oidc-provider';

/** A full memory lets its oldest entry go: that sign-in can be started again. */
const mostEntries = 500;

export class ExpiringMemory<Value> {
  readonly #entries = new Map<string, { value: Value; expiresAtMs: number }>();

  /** Writing renews the entry's age as well as its value. */
  set(key: string, value: Value, lifetimeS: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, expiresAtMs: Date.now() + lifetimeS * 1000 });
    const [oldestKey = key] = this.#entries.keys();
    if (this.#entries.size > mostEntries) this.#entries.delete(oldestKey);
  }

  /** @returns the value, or undefined when there is none or its lifetime is over. */
  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    return entry && entry.expiresAtMs > Date.now() ? entry.value : undefined;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  deleteWhere(isUnwanted: (value: Value) => boolean): void {
    for (const [key, { value }] of this.#entries) {
      if (isUnwanted(value)) this.#entries.delete(key);
    }
  }
}

/** For what is stored without a lifetime of its own. */
const longestLifetimeS = 3600;

/**
 * @param kind the name that oidc-provider gives to a kind of record, such as `AccessToken`.
 * @returns oidc-provider's storage for records of this kind.
 */
export function memoryAdapter(kind: string): Adapter {
  const records = new ExpiringMemory<AdapterPayload>();
  // A provider session would sign the same person in again without asking; a demo is there to switch persons.
  const isForgotten = kind === 'Session';
  return {
    upsert: async (id, payload, lifetimeS = longestLifetimeS) => {
      if (!isForgotten) records.set(id, payload, lifetimeS);
    },
    find: async (id) => records.get(id),
    // Asked of sessions only, and none is kept.
    findByUid: async () => undefined,
    // Asked by the device flow only, which is off.
    findByUserCode: async () => undefined,
    consume: async (id) => {
      const record = records.get(id);
      if (record) record.consumed = Math.floor(Date.now() / 1000);
    },
    destroy: async (id) => records.delete(id),
    revokeByGrantId: async (grantId) => records.deleteWhere((record) => record.grantId === grantId),
  };
}
