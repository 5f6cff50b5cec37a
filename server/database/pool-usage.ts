/** What a pool does right now. `size`: how many connections or threads it may have. `waiting`: how many statements want one. */
export type PoolUsage = { size: number; inUse: number; waiting: number };
