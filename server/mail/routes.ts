import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { DeskMailContent, DeskMailParams, DeskMailQuery, DeskMails } from '../../contract/desk/mail.ts';
import { deskPaths } from '../../contract/desk/paths.ts';
import { maxPageSize, nextPageLink } from '../../contract/next-page.ts';
import type { Db } from '../database/tables.ts';
import { problemResponses } from '../http/error-handler.ts';
import { Problem } from '../http/problems.ts';
import { presentMail } from './desk-mail.ts';
import type { Mail } from './mail.ts';
import { composeMessage, type Message, type MessageKind } from './messages.ts';
import { findMail, listMail, retryMail } from './outbox.ts';

/** `deskDb` is for lists, which may take long. */
type MailParts = { db: Db; deskDb: Db; mail: Mail };

/** The outbox on the desk: `GET /desk/api/mail`, one order's messages, and another attempt. */
export const mailRoutes: FastifyPluginAsyncTypebox<MailParts> = async (app, { db, deskDb, mail }) => {
  const { sender } = mail;
  const readContent = async (id: string): Promise<DeskMailContent> => {
    const order = await findMail(db, id);
    if (!order) throw new Problem('ORDER_NOT_FOUND');
    const present = (kind: MessageKind) => presentMessage(composeMessage(kind, order, sender));
    return {
      ...presentMail(order, mail.mode),
      receipt: present('receipt'),
      notice: present('notice'),
      ...(order.withdrawnAt !== null && {
        acknowledgement: present('acknowledgement'),
        withdrawalNotice: present('withdrawal-notice'),
      }),
    };
  };

  app.get(
    deskPaths.mail,
    {
      config: { access: 'desk', limit: 'desk' },
      schema: {
        operationId: 'listMail',
        tags: ['desk'],
        summary: 'Lists the mail of the orders, newest first',
        description: 'When more may follow, `Link` names the next page.',
        querystring: DeskMailQuery,
        response: { 200: DeskMails, ...problemResponses(400, 401, 403, 429) },
      },
    },
    async (request, reply) => {
      const { state = 'all', limit = maxPageSize, cursor } = request.query;
      if (mail.mode === 'off') return { mode: mail.mode, messages: [] };
      const { mails, nextCursor } = await listMail(deskDb, {
        // In the demo every order has mail that was not sent.
        state: mail.mode === 'shown' ? 'shown' : state,
        cursor,
        limit,
      });
      if (nextCursor) reply.header('link', nextPageLink(deskPaths.mail, request.query, nextCursor));
      return { mode: mail.mode, messages: mails.map((order) => presentMail(order, mail.mode)) };
    },
  );

  app.get(
    deskPaths.mailOf.pattern,
    {
      config: { access: 'desk', limit: 'desk' },
      schema: {
        operationId: 'readMail',
        tags: ['desk'],
        summary: 'Shows the messages of an order',
        description: 'As they are sent, or as they would be.',
        params: DeskMailParams,
        response: { 200: DeskMailContent, ...problemResponses(400, 401, 403, 'ORDER_NOT_FOUND', 429) },
      },
    },
    async (request) => {
      return await readContent(request.params.id);
    },
  );

  app.post(
    deskPaths.mailRetry.pattern,
    {
      config: { access: 'desk', limit: 'desk', hasNoBody: true },
      schema: {
        operationId: 'retryMail',
        tags: ['desk'],
        summary: 'Sends the mail of an order that failed, or that was not sent to an unverified address, now',
        description: 'A message that was sent is not sent again.',
        params: DeskMailParams,
        response: { 200: DeskMailContent, ...problemResponses(400, 401, 403, 'ORDER_NOT_FOUND', 429) },
      },
    },
    async (request) => {
      const { id } = request.params;
      if (mail.mode === 'sent' && (await retryMail(db, id))) mail.wake();
      return await readContent(id);
    },
  );
};

const presentMessage = ({ to, subject, text, html }: Message) => ({
  to: to.name ? `${to.name} <${to.address}>` : to.address,
  subject,
  text,
  html,
});
