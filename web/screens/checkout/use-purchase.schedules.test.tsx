import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act } from 'react';
import { expect, vi } from 'vitest';
import { Router } from 'wouter';
import type { BookInStock } from '../../../contract/book.ts';
import { isCheckoutDay } from '../../../contract/checkout-day.ts';
import type { NewOrder, Order } from '../../../contract/order.ts';
import { dayMs } from '../../../contract/shop-days.ts';
import type { Way } from '../../../contract/ways.ts';
import { onEverySchedule } from '../../../server/testing/schedules.ts';
import { emptyElement, problemResponse, stubPage } from '../../testing/stubbed-page.ts';
import type { Delivery } from './use-delivery.ts';

const fetchStub = stubPage({ hasDelivery: true });
const storage = new Map<string, string>();
vi.stubGlobal('navigator', { onLine: true });
Object.assign(window, {
  sessionStorage: {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  },
});
const { createRoot } = await import('react-dom/client');
const { createQueryClient } = await import('../../api/query-client.ts');
const { bookQuery } = await import('../../api/catalogue.ts');
const { waysQuery } = await import('../../api/orders.ts');
const { checkoutDay, usePurchase } = await import('./use-purchase.ts');

const customer = { userName: 'Jane', email: 'jane@example.org', photo: '' };
type Purchase = ReturnType<typeof usePurchase>;
type Chosen = Pick<Delivery, 'way' | 'gift'>;
type ScreenProps = { delivery: Chosen & Pick<Delivery, 'address'>; show(purchase: Purchase): void };

const Screen = (props: ScreenProps) => {
  const { data: book } = useQuery(bookQuery('emma'));
  const { data: ways } = useQuery(waysQuery);
  return book && ways ? <Buying {...{ book, ways }} {...props} /> : null;
};
const Buying = ({ show, ...parts }: ScreenProps & { book: BookInStock; ways: Way[] }) => {
  show(usePurchase({ ...parts, customer, day: checkoutDay() }));
  return null;
};

let onNavigate: (path: string, options?: { state?: { boughtOrder: string } }) => void;
const useCheckout = (): [string, typeof onNavigate] => ['/checkout/emma', onNavigate];

onEverySchedule(
  'a purchase is one order, of a book, in a way and at a price that were shown, to the address that was, whatever is lost, pressed twice or left',
  async ({ turn, happens, check, pick, play, clearTimers }) => {
    storage.clear();
    let price = 10;
    let title = 'Emma';
    const wayOf = (id: string, cost: number) => ({ id, name: id, price: { value: cost }, asksAddress: true });
    let ways = [wayOf('post', 5), wayOf('courier', 9)];
    let choice: Chosen = {};
    let aheadMs = 0;
    const orders = new Map<string, Order & NewOrder>();
    let pageNumber = 0;
    let isReliable = false;
    /** How many orders the customer has asked for: a press asks for another order once the result of the last one is known. */
    let wanted = 0;
    let isKnown = true;
    const shown = new Set<string>();
    const shownParts = ({ title, price, way, total, gift }: Omit<NewOrder, 'time'>) =>
      `${title} ${price} ${way} ${total} ${gift?.text}`;
    /** The store's clock, which may be days ahead of the page's. */
    const clock = () => ({ 'cache-control': 'no-store', date: new Date(Date.now() + aheadMs).toUTCString() });

    const placeOrder = (key: string, { deliveryAddress = '', ...body }: NewOrder): Response => {
      const placed = orders.get(key);
      if (placed) return Response.json(placed);
      if (!isCheckoutDay(body.time, Date.now() + aheadMs)) {
        const problem = { code: 'VALIDATION_FAILED', errors: [{ field: 'time', message: '' }] };
        const headers = { 'content-type': 'application/problem+json' };
        return Response.json(problem, { status: 400, headers });
      }
      if (body.title !== title) return problemResponse(409, 'BOOK_CHANGED');
      if (body.price !== price) return problemResponse(409, 'PRICE_CHANGED');
      if (body.way === undefined && ways.length > 0) return problemResponse(400, 'WAY_MISSING');
      const way = ways.find(({ id }) => id === body.way);
      const isAsShown = body.way === undefined || (way && body.total === price + way.price.value);
      if (!isAsShown) return problemResponse(409, 'DELIVERY_CHANGED');
      const kept = { bookId: 'emma', state: 'new', placedAt: '', deliveryAddress };
      const order = { _id: key, ...body, ...kept } as Order & NewOrder;
      orders.set(key, order);
      check(() => expect(orders.size).toBeLessThanOrEqual(wanted));
      check(() => expect([...shown]).toContain(shownParts(order)));
      return Response.json(order, { status: 201 });
    };
    const answer = (path: string, init: RequestInit): Response => {
      const body = init.body && JSON.parse(String(init.body));
      if (path === '/book/emma') {
        return Response.json({ _id: 'emma', title, author: 'Jane Austen', price: { value: price } });
      }
      if (path === '/ways') return Response.json(ways);
      if (path === '/addOrder')
        return placeOrder(new Headers(init.headers).get('idempotency-key') ?? '', body);
      const [order] = [...orders.values()].filter(({ _id }) => path.endsWith(_id));
      if (!order) return problemResponse(404, 'NOT_FOUND');
      Object.assign(order, body);
      return Response.json(order);
    };
    fetchStub.mockImplementation(async (address, init = {}) => {
      const { pathname } = new URL(String(address));
      const page = pageNumber;
      const fate =
        isReliable || pathname === '/book/emma' || pathname === '/ways'
          ? 'answered'
          : pick('answered', 'answered', 'refused', 'unsent', 'lost');
      await turn(`${pathname} arrives`);
      const isRead = fate === 'answered' || fate === 'lost';
      const response = isRead ? answer(pathname, init) : problemResponse(503, 'BUSY');
      for (const [name, value] of Object.entries(clock())) response.headers.set(name, value);
      await turn(`the answer to ${pathname}`);
      // The page that waited for the response is gone.
      if (page !== pageNumber) await new Promise(() => {});
      if (fate === 'unsent' || fate === 'lost') throw new TypeError('Failed to fetch');
      if (pathname === '/addOrder' && isRead) isKnown = true;
      return response;
    });

    let queryClient = createQueryClient(() => {});
    let root: ReturnType<typeof createRoot> | undefined;
    let screen: Purchase | undefined;
    let address = 'home';
    let bought = 0;
    const leave = () => {
      root?.unmount();
      [root, screen] = [undefined, undefined];
    };
    onNavigate = (_, { state } = {}) => {
      bought += 1;
      const order = orders.get(state?.boughtOrder ?? '');
      check(() => expect(order?.deliveryAddress).toBe(address));
      leave();
    };
    const render = () => {
      const show = (purchase: Purchase) => {
        screen = purchase;
      };
      root?.render(
        <QueryClientProvider client={queryClient}>
          <Router hook={useCheckout}>
            <Screen delivery={{ ...choice, address }} show={show} />
          </Router>
        </QueryClientProvider>,
      );
    };
    const open = () => {
      root ??= createRoot(emptyElement());
      render();
    };
    const reload = () => {
      pageNumber += 1;
      clearTimers();
      [root, screen] = [undefined, undefined];
      queryClient = createQueryClient(() => {});
      open();
    };
    const type = () => {
      // The field is read-only.
      if (screen?.isPending) return;
      address = `${address}, corrected`;
      if (root) render();
    };
    const choose = () => {
      if (!screen || screen.isPending || screen.pendingOrder.wasSent) return;
      choice = pick<Chosen>({ way: 'post' }, { way: 'courier', gift: 'For Ada' }, { way: 'courier' });
      render();
    };
    const press = () => {
      if (!screen) return;
      if (!screen.isPending) {
        if (isKnown) wanted += 1;
        isKnown = false;
      }
      shown.add(shownParts(screen.pendingOrder.ordered));
      screen.place();
      if (pick(true, false)) screen.place();
    };
    const change = () => {
      price += 1;
    };
    const delivery = () => {
      ways = pick([], [wayOf('post', price)], [wayOf('post', 5), wayOf('courier', price)]);
    };
    const rename = () => {
      title += '!';
    };
    const days = () => {
      aheadMs += 3 * dayMs;
    };
    const often = [open, press, press, press, press, open, open, type, type, choose, choose];
    for (const action of [...often, leave, change, delivery, rename, days, reload])
      happens(action.name, action);
    await play();

    // With a working network, the next presses buy the book, or say why not.
    isReliable = true;
    const boughtBefore = bought;
    for (let presses = 0; bought === boughtBefore && presses < 3; presses += 1) {
      happens('open', open);
      await play();
      happens('press', press);
      await play();
    }
    expect(bought).toBe(boughtBefore + 1);
    expect(orders.size).toBeLessThanOrEqual(wanted);
  },
  { act, foundBySeed: [44, 484] },
);
