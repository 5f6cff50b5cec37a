/** The orders that are there, as the store's API tells them and as the database does. */

import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Order } from '../../contract/order.ts';
import { paths } from '../../contract/paths.ts';
import type { Buyer } from './store-nodes.ts';

export type OrderRow = { id: string; key: string | null };

/** Every order of every buyer, page by page. @throws when a page does not come. */
export async function readOrdersThroughApi(origin: string, buyers: readonly Buyer[]): Promise<string[]> {
  const ids: string[] = [];
  for (const { email, cookie } of buyers) {
    let address: string | undefined = paths.allOrder(email);
    for (let page = 0; address && page < 10_000; page += 1) {
      const answer: Response = await getPage(origin + address, cookie);
      ids.push(...((await answer.json()) as Order[]).map(({ _id }) => _id));
      address = /<([^>]+)>/.exec(answer.headers.get('link') ?? '')?.[1];
    }
  }
  return ids;
}

async function getPage(address: string, cookie: string): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(address, { headers: { cookie }, signal: AbortSignal.timeout(15_000) });
    if (answer.status === 200) return answer;
    if (answer.status < 500 || attempt === 20) {
      throw new Error(`GET ${address}: ${answer.status} ${await answer.text()}`);
    }
    await pause(1_000);
  }
}

/** Straight from one server, whoever else there is. */
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
