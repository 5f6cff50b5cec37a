/** The peer: the store's six calls, as a competent developer writes them with Express and `pg` for production. */

import { createHash } from 'node:crypto';
import compression from 'compression';
import express, { type ErrorRequestHandler, type Request, type RequestHandler } from 'express';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
const app = express();
app.disable('x-powered-by');
app.use(compression());
app.use(express.json({ limit: '64kb' }));

type BookRow = { id: string; title: string; author: string; image: string; price_cents: number };
type OrderRow = { id: string; title: string; author: string; price_cents: number; time: string };
type Customer = { id: string; name: string; email: string };

const asBook = ({ id, title, author, image, price_cents: cents }: BookRow) => ({
  _id: id,
  title,
  author,
  image,
  price: { value: cents / 100 },
});
const asOrder = ({ id, title, author, price_cents: cents, time }: OrderRow) => ({
  _id: id,
  title,
  author,
  price: cents / 100,
  time,
});

const customers = new WeakMap<Request, Customer>();

const requireCustomer: RequestHandler = async (request, response, next) => {
  const sessionId = /(?:^|; *)colophon-session=([^;]+)/.exec(request.headers.cookie ?? '')?.[1];
  if (!sessionId) {
    response.status(401).json({ error: 'sign in first' });
    return;
  }
  const { rows } = await pool.query<Customer>({
    name: 'find-customer',
    text: `select customers.id, customers.name, customers.email
           from sessions join customers on customers.id = sessions.customer_id
           where sessions.id_hash = $1 and sessions.expires_at > now()`,
    values: [createHash('sha256').update(sessionId).digest('base64url')],
  });
  if (!rows[0]) {
    response.status(401).json({ error: 'sign in first' });
    return;
  }
  customers.set(request, rows[0]);
  next();
};

function customerOf(request: Request): Customer {
  const customer = customers.get(request);
  if (!customer) throw new Error('the route requires no customer');
  return customer;
}

app.get('/books', async (_request, response) => {
  const { rows } = await pool.query<BookRow>({
    name: 'list-books',
    text: `select id, title, author, image, price_cents from books
           where removed_at is null order by seq desc limit 200`,
  });
  response.json(rows.map(asBook));
});

app.get('/book/:id', async (request, response) => {
  const { rows } = await pool.query<BookRow>({
    name: 'find-book',
    text: 'select id, title, author, image, price_cents from books where id = $1 and removed_at is null',
    values: [request.params.id],
  });
  if (rows[0]) response.json(asBook(rows[0]));
  else response.status(404).json({ error: 'no such book' });
});

app.post('/addOrder', requireCustomer, async (request, response) => {
  const { title, author, price, time } = request.body ?? {};
  const isValid =
    typeof title === 'string' &&
    title !== '' &&
    typeof author === 'string' &&
    author !== '' &&
    typeof price === 'number' &&
    price >= 0 &&
    typeof time === 'string' &&
    !Number.isNaN(Date.parse(time));
  if (!isValid) {
    response.status(400).json({ error: 'title, author, price and time are needed' });
    return;
  }
  const customer = customerOf(request);
  const key = request.get('idempotency-key') ?? null;
  const inserted = await pool.query<OrderRow>({
    name: 'place-order',
    text: `insert into orders (customer_id, idempotency_key, book_id, title, author, price_cents, time, buyer_name, buyer_email)
           select $1, $2, id, title, author, price_cents, $3, $4, $5 from books
           where title = $6 and author = $7 and price_cents = $8 and removed_at is null
           order by seq desc limit 1
           on conflict (customer_id, idempotency_key) do nothing
           returning id, title, author, price_cents, time`,
    values: [customer.id, key, time, customer.name, customer.email, title, author, Math.round(price * 100)],
  });
  if (inserted.rows[0]) {
    response.status(201).json(asOrder(inserted.rows[0]));
    return;
  }
  const earlier = await pool.query<OrderRow>({
    name: 'find-order-by-key',
    text: `select id, title, author, price_cents, time from orders
           where customer_id = $1 and idempotency_key = $2`,
    values: [customer.id, key],
  });
  if (earlier.rows[0]) response.status(201).json(asOrder(earlier.rows[0]));
  else response.status(404).json({ error: 'no such book at that price' });
});

app.get('/allOrder/:email', requireCustomer, async (request, response) => {
  const customer = customerOf(request);
  if (customer.email.toLowerCase() !== String(request.params['email']).toLowerCase()) {
    response.status(403).json({ error: 'not yours' });
    return;
  }
  const { rows } = await pool.query<OrderRow>({
    name: 'list-orders',
    text: `select id, title, author, price_cents, time from orders
           where customer_id = $1 order by id desc limit 200`,
    values: [customer.id],
  });
  response.json(rows.map(asOrder));
});

app.delete('/deleteBook/:id', requireCustomer, async (request, response) => {
  const { rowCount } = await pool.query({
    name: 'remove-book',
    text: 'update books set removed_at = coalesce(removed_at, now()) where id = $1',
    values: [request.params['id']],
  });
  if (rowCount) response.json({ _id: request.params['id'], deleted: true });
  else response.status(404).json({ error: 'no such book' });
});

app.post('/addBook', requireCustomer, async (request, response) => {
  const { title, author, image, price } = request.body ?? {};
  const amount = Number(price?.value);
  const isValid =
    typeof title === 'string' &&
    title.trim() !== '' &&
    typeof author === 'string' &&
    author.trim() !== '' &&
    typeof image === 'string' &&
    image !== '' &&
    amount >= 0;
  if (!isValid) {
    response.status(400).json({ error: 'title, author, image and price.value are needed' });
    return;
  }
  const { rows } = await pool.query<BookRow>({
    name: 'add-book',
    text: `insert into books (title, author, image, price_cents) values ($1, $2, $3, $4)
           returning id, title, author, image, price_cents`,
    values: [title.trim(), author.trim(), image, Math.round(amount * 100)],
  });
  response.status(201).json(rows.map(asBook)[0]);
});

const answerErrors: ErrorRequestHandler = (error, _request, response, _next) => {
  const status = typeof error?.status === 'number' ? error.status : 500;
  if (status >= 500) console.error(error);
  response.status(status).json({ error: status < 500 ? 'malformed request' : 'something went wrong' });
};
app.use(answerErrors);

app.listen(Number(process.env['PORT']), '127.0.0.1');
