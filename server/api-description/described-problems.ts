/** The codes that come with each status of a call, for the description of the API. */

import type { FastifyContextConfig, FastifySchema } from 'fastify';
import type { Access } from '../access/guards.ts';
import { STATUS_CODES } from '../http/node-http.ts';
import { type ProblemCode, problems, sentCode } from '../http/problems.ts';

export type DescribedCall = { method: string; schema: FastifySchema; config: FastifyContextConfig };

/** Problems of any call: the request is refused before its route looks at it, or the store fails. */
const ofEveryCall: readonly ProblemCode[] = [
  ...([
    'MALFORMED_REQUEST',
    'TWO_HOSTS',
    'REQUEST_TIMEOUT',
    'BODY_TOO_LARGE',
    'MISDIRECTED_REQUEST',
  ] as const),
  ...(['HEADERS_TOO_LARGE', 'INTERNAL', 'BUSY', 'UNAVAILABLE'] as const),
];
const ofEveryChange: readonly ProblemCode[] = [
  ...(['CROSS_SITE_REQUEST', 'MALFORMED_BODY', 'UNSUPPORTED_MEDIA_TYPE'] as const),
];
const ofSession: readonly ProblemCode[] = ['SIGN_IN_REQUIRED', 'TOKEN_INVALID', 'NOT_ALLOWED'];
const ofAccess: Readonly<Record<Access, readonly ProblemCode[]>> = {
  public: [],
  customer: ofSession,
  owner: ofSession,
  admin: [...ofSession, 'EMAIL_NOT_VERIFIED'],
  desk: [...ofSession, 'EMAIL_NOT_VERIFIED', 'CROSS_SITE_REQUEST'],
  operator: ['TOKEN_REQUIRED', 'NOT_ALLOWED'],
};

function impliedCodes({ method, schema, config }: DescribedCall): ProblemCode[] {
  const { access = 'public', limit, multipart } = config;
  const hasParts = schema.params || schema.querystring || schema.headers || schema.body || multipart;
  return [
    ...(hasParts ? (['VALIDATION_FAILED'] as const) : []),
    ...ofAccess[access],
    ...(limit === undefined ? [] : (['TOO_MANY_REQUESTS'] as const)),
    ...(method === 'GET' ? [] : ofEveryChange),
    ...ofEveryCall,
  ];
}

type DeclaredResponse = { 'x-codes'?: readonly ProblemCode[] };
const allCodes = Object.keys(problems) as ProblemCode[];

/** @returns the codes of each status of at least 400 that the call declares, and of 400; under `default` those of every other status. */
export function codesOfCall(call: DescribedCall): Readonly<Record<string, readonly ProblemCode[]>> {
  const responses = (call.schema.response ?? {}) as Record<string, DeclaredResponse>;
  const declared = Object.keys(responses).filter((status) => Number(status) >= 400);
  const implied = impliedCodes(call);
  const known = [...implied, ...declared.flatMap((status) => responses[status]?.['x-codes'] ?? [])];
  const statuses = [...new Set(['400', ...declared])];
  const byStatus = statuses.map((status) => {
    const all = allCodes.filter((code) => String(problems[code].status) === status);
    // Most statuses have one code.
    const ofStatus = all.length === 1 ? all : all.filter((code) => known.includes(code));
    if (ofStatus.length === 0) throw new Error(`${call.schema.operationId} names no code of its ${status}`);
    return [status, ofStatus] as const;
  });
  const others = implied.filter((code) => !statuses.includes(String(problems[code].status)));
  return Object.fromEntries([...byStatus, ['default', others]]);
}

export function describedCodes(status: string, codes: readonly ProblemCode[]): string {
  const isDefault = status === 'default';
  const items = codes.map((code) => {
    const { status: own, title } = problems[code];
    return `- \`${sentCode(code)}\`${isDefault ? ` (${own})` : ''}: ${title}`;
  });
  return [`${isDefault ? 'What any call may meet' : STATUS_CODES[status]}:`, '', ...items].join('\n');
}
