/** The page of a problem, for a browser that opens an address: JSON would be no help to its visitor. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { escapeHtml } from './escape-html.ts';
import type { Problem } from './problems.ts';

export const wantsPage = ({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean =>
  method === 'GET' && headers.accept?.includes('text/html') === true;

/** Sends a problem as a page without scripts and styles, which the security headers of every response do not allow. */
export const sendProblemPage = (reply: FastifyReply, { message, detail }: Problem): FastifyReply =>
  reply.type('text/html; charset=utf-8').send(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(message)}</title>
<h1>${escapeHtml(message)}</h1>
${detail === undefined ? '' : `<p>${escapeHtml(detail)}</p>\n`}</html>
`);
