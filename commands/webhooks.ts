/** `shop webhooks`: the events of the orders, and whether the receiver took them. */

import type { DeskWebhook, WebhookState } from '../contract/desk/webhooks.ts';
import { StartError } from '../server/start-error.ts';
import { findEvent, listEvents, presentEvent, retryEvent, stateOf } from '../server/webhooks/events.ts';
import { flag, oneOf, wholeNumber } from '../tools/options.ts';
import { command } from './command.ts';
import { lineOf, printable, printJson, printPages } from './print.ts';
import { withDatabase } from './with-database.ts';

const list = command({
  purpose: 'Lists the events that webhooks tell of, newest first. They stay for 30 days.',
  options: {
    state: oneOf('which events', ['all', 'waiting', 'delivered', 'given-up']),
    limit: wholeNumber('how many events at most', 50, 1),
    json: flag('print one JSON array'),
  },
  async run({ json, limit, state }, io) {
    await withDatabase(io, ({ deskDb }) =>
      printPages<DeskWebhook>(io, {
        json,
        limit,
        whenEmpty: 'No event is listed. A store without WEBHOOK_URL records none.',
        lineOf: ({ _id, createdAt, state, type, orderId, title, error }) =>
          lineOf([_id, createdAt, state.padEnd(9), type, orderId, title, ...(error === null ? [] : [error])]),
        async fetch(page) {
          const { events, nextCursor } = await listEvents(deskDb, { state, ...page });
          return { items: events.map(presentEvent), nextCursor };
        },
      }),
    );
  },
});

const sendAgain = command({
  purpose: 'Lets the store send an event that was given up.',
  options: { json: flag('print the event as one JSON object') },
  operands: ['ID'],
  async run({ json }, io, [id = '']) {
    const event = await withDatabase(io, async ({ db }) => {
      const isDue = await retryEvent(db, id);
      const event = await findEvent(db, id);
      if (!event) throw new StartError(`There is no event ${printable(id)}.`);
      if (!isDue) throw new StartError(`Nothing was changed: ${reasons[stateOf(event)]}`);
      return presentEvent(event);
    });
    if (json) printJson(io, event);
    else io.stderr.write(`The store will send: ${event.type} of the order ${event.orderId}\n`);
  },
});

/** Why an event is not sent again. */
const reasons: Readonly<Record<WebhookState, string>> = {
  waiting: 'this event waits, and will be tried again.',
  delivered: 'the receiver took this event.',
  // The event was due when the command began, and is not any more.
  'given-up': 'this event has just failed again.',
};

export const webhookCommands = { 'webhooks list': list, 'webhooks send-again': sendAgain };
