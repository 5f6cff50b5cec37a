/**
 * The limit of orders: a server that reads an order, inserts a row like it, answers, and does nothing else. On SQLite it is bare
 * `node:http`, on PostgreSQL Express with `pg`, as a shop is begun.
 */

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import express from 'express';
import pg from 'pg';
import { paths } from '../../../contract/paths.ts';
import { openSqliteFile } from '../../../server/database/sqlite/file.ts';

type Order = { title: string; author: string; price: number; time: string };

const table = `create table if not exists limit_orders (id text primary key, customer text, idempotency_key text,
  title text, author text, price numeric, time text, unique (customer, idempotency_key))`;
const insertInto = 'insert into limit_orders (id, customer, idempotency_key, title, author, price, time)';

function serveSqlite(file: string, port: number): void {
  const sqlite = openSqliteFile(file);
  sqlite.exec(table);
  const insert = sqlite.prepare(`${insertInto} values (?, ?, ?, ?, ?, ?, ?)`);
  createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.end();
    const { cookie = '', 'idempotency-key': key } = request.headers;
    const { title, author, price, time } = (await json(request)) as Order;
    const _id = randomUUID();
    insert.run(_id, cookie, String(key), title, author, price, time);
    response.writeHead(201, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ _id, title, author, price, time }));
  }).listen(port, '127.0.0.1');
}

async function servePostgres(connectionString: string, port: number): Promise<void> {
  const pool = new pg.Pool({ connectionString, max: 10 });
  await pool.query(table);
  const app = express();
  app.use(express.json());
  app.get(paths.health, (_request, response) => void response.end());
  app.post(paths.addOrder, async (request, response) => {
    const { title, author, price, time } = request.body as Order;
    const _id = randomUUID();
    await pool.query(`${insertInto} values ($1, $2, $3, $4, $5, $6, $7)`, [
      ...[_id, request.get('cookie'), request.get('idempotency-key'), title, author, price, time],
    ]);
    response.status(201).json({ _id, title, author, price, time });
  });
  app.listen(port, '127.0.0.1');
}

const { PORT, DATABASE_URL = '' } = process.env;
const [, file] = /^sqlite:(.*)/.exec(DATABASE_URL) ?? [];
if (file === undefined) await servePostgres(DATABASE_URL, Number(PORT));
else serveSqlite(file, Number(PORT));
