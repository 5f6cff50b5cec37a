/** The demo provider's memory: nothing outlives the process, and it never grows past a fixed number of entries. */

import type { Adapter, AdapterPayload } from 'oidc-provider';

/** What is full lets its oldest entry go: whoever that was can start the sign-in again. */
const mostEntries = 500;

export class ExpiringMemory<Value> {
  readonly #entries = new Map<string, { value: Value; expiresAtMs: number }>();

  /** Writing renews the entry's age as well as its value. */
  set(key: string, value: Value, lifetimeS: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, expiresAtMs: Date.now() + lifetimeS * 1000 });
    for (const [oldKey, { expiresAtMs }] of this.#entries) {
      // Everything in one memory lives about as long, so behind the first living entry there is little to clear.
      if (this.#entries.size <= mostEntries && expiresAtMs > Date.now()) break;
      this.#entries.delete(oldKey);
    }
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry || entry.expiresAtMs > Date.now()) return entry?.value;
    this.#entries.delete(key);
    return undefined;
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

/** oidc-provider's storage, one for each kind of record. */
export function memoryAdapter(kind: string): Adapter {
  const records = new ExpiringMemory<AdapterPayload>();
  // A provider session would sign the same person in again without asking; a demo is there to switch persons.
  const isForgotten = kind === 'Session';

  return {
    async upsert(id, payload, lifetimeS = longestLifetimeS) {
      if (!isForgotten) records.set(id, payload, lifetimeS);
    },
    async find(id) {
      return records.get(id);
    },
    async findByUid() {
      // Asked of sessions only, and none is kept.
    },
    async findByUserCode() {
      // Asked by the device flow only, which is off.
    },
    async consume(id) {
      const record = records.get(id);
      if (record) record.consumed = Math.floor(Date.now() / 1000);
    },
    async destroy(id) {
      records.delete(id);
    },
    async revokeByGrantId(grantId) {
      records.deleteWhere((record) => record.grantId === grantId);
    },
  };
}
