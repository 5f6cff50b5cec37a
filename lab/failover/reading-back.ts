/** Reads the stored orders, from the store's API and from each PostgreSQL server. */

import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { nextPagePath } from '../../contract/next-page.ts';
import type { Order } from '../../contract/order.ts';
import { paths } from '../../contract/paths.ts';
import type { Buyer } from './store-nodes.ts';

export type OrderRow = { id: string; key: string | null };

/** Reads the orders of all buyers, page by page. @returns their ids. @throws when a page cannot be read. */
export async function readOrdersThroughApi(origin: string, buyers: readonly Buyer[]): Promise<string[]> {
  const ids: string[] = [];
  for (const { email, cookie } of buyers) {
    let path: string | undefined = paths.allOrder(email);
    for (let pages = 0; path !== undefined && pages < 10_000; pages += 1) {
      const response: Response = await getPage(origin + path, cookie);
      ids.push(...((await response.json()) as Order[]).map(({ _id }) => _id));
      path = nextPagePath(response.headers.get('link'), origin);
    }
  }
  return ids;
}

async function getPage(address: string, cookie: string): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(address, { headers: { cookie }, signal: AbortSignal.timeout(15_000) });
    if (response.status === 200) return response;
    if (response.status < 500 || tries === 20) {
      throw new Error(`GET ${address}: ${response.status} ${await response.text()}`);
    }
    await pause(1_000);
  }
}

/** Reads the orders of one PostgreSQL server, past the proxy. */
export async function readOrdersOfServer(databaseUrl: string): Promise<OrderRow[]> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    const { rows } = await client.query<OrderRow>('select id, idempotency_key as key from orders');
    return rows;
  } finally {
    await client.end();
  }
}
