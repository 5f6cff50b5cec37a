/** The limit of orders over HTTP: `node:http` with `pg`, which reads an order, inserts a row like it, answers, and does nothing else. */

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';
import { columns, fixedValues, limitTable } from './inserts.ts';

/** As many as the store opens by default. */
const connections = 10;

const pool = new pg.Pool({
  connectionString: process.env['DATABASE_URL'],
  max: connections,
  min: connections,
});
await pool.query(limitTable);
const text = `insert into limit_orders (${columns}) values ($1, $2, $3, ${fixedValues})`;

createServer((request, response) => {
  if (request.method !== 'POST') return void response.writeHead(200).end();
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', async () => {
    const { title, author, price, time } = JSON.parse(body);
    const _id = randomUUID();
    const values = [request.headers.cookie, _id, request.headers['idempotency-key']];
    await pool.query({ name: 'insert', text, values });
    const created = JSON.stringify({ _id, title, author, price, time });
    const length = String(Buffer.byteLength(created));
    response.writeHead(201, ['content-type', 'application/json', 'content-length', length]).end(created);
  });
}).listen(Number(process.env['PORT']), '127.0.0.1');
