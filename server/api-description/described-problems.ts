/** The codes that come with each status of a call, for the description of the API. */

import type { FastifyContextConfig, FastifySchema } from 'fastify';
import { STATUS_CODES } from '../http/node-http.ts';
import { type ProblemCode, problems, sentCode } from '../http/problems.ts';

/** The parts of a call that decide about its problems. */
export type DescribedCall = { method: string; schema: FastifySchema; config: FastifyContextConfig };

/** Codes by status; under `default` those of every other status that the call may have. */
export type CodesOfCall = Readonly<Record<string, readonly ProblemCode[]>>;

const isRead = ({ method }: DescribedCall): boolean => method === 'GET';

/** Problems of any call: the request is refused before its route looks at it, or the store fails. */
const ofEveryCall: readonly ProblemCode[] = [
  'MALFORMED_REQUEST',
  'TWO_HOSTS',
  'REQUEST_TIMEOUT',
  'BODY_TOO_LARGE',
  'MISDIRECTED_REQUEST',
  'HEADERS_TOO_LARGE',
  'INTERNAL',
  'BUSY',
  'UNAVAILABLE',
];
const ofEveryChange: readonly ProblemCode[] = [
  'CROSS_SITE_REQUEST',
  'MALFORMED_BODY',
  'UNSUPPORTED_MEDIA_TYPE',
];

/** @returns the problems that the access of a call, its parts and its limit imply. */
function impliedCodes(call: DescribedCall): ProblemCode[] {
  const { schema, config } = call;
  const { access = 'public', limit, multipart } = config;
  const hasParts = schema.params || schema.querystring || schema.headers || schema.body || multipart;
  const refusals: readonly ProblemCode[] =
    access === 'public'
      ? []
      : access === 'operator'
        ? ['TOKEN_REQUIRED', 'NOT_ALLOWED']
        : ['SIGN_IN_REQUIRED', 'TOKEN_INVALID', 'NOT_ALLOWED'];
  const isForAdmins = access === 'admin' || access === 'desk';
  return [
    ...(hasParts ? (['VALIDATION_FAILED'] as const) : []),
    ...refusals,
    ...(isForAdmins ? (['EMAIL_NOT_VERIFIED'] as const) : []),
    ...(access === 'desk' ? (['CROSS_SITE_REQUEST'] as const) : []),
    ...(limit === undefined ? [] : (['TOO_MANY_REQUESTS'] as const)),
    ...(isRead(call) ? [] : ofEveryChange),
    ...ofEveryCall,
  ];
}

const codes = Object.keys(problems) as ProblemCode[];

/**
 * @returns the codes of each status of at least 400 that the call declares, and of 400, which every call may have; those
 * that the route names, and those that its access and parts imply.
 * @throws for a declared status without a code.
 */
export function codesOfCall(call: DescribedCall): CodesOfCall {
  const declared = Object.entries((call.schema.response ?? {}) as Record<string, object>).filter(
    ([status]) => Number(status) >= 400,
  );
  const named = declared.flatMap(([, response]) =>
    'x-codes' in response ? (response['x-codes'] as ProblemCode[]) : [],
  );
  const implied = impliedCodes(call);
  const statuses = [...new Set(['400', ...declared.map(([status]) => status)])];
  const byStatus = statuses.map((status) => {
    const all = codes.filter((code) => String(problems[code].status) === status);
    const known = all.filter((code) => implied.includes(code) || named.includes(code));
    // Most statuses have one code.
    const ofStatus = known.length === 0 && all.length === 1 ? all : known;
    if (ofStatus.length === 0) throw new Error(`${call.schema.operationId} names no code of its ${status}`);
    return [status, ofStatus] as const;
  });
  const others = implied.filter((code) => !statuses.includes(String(problems[code].status)));
  return Object.fromEntries([...byStatus, ['default', others]]);
}

/** @returns a list of the codes with their titles, in Markdown. */
export const describedCodes = (status: string, ofStatus: readonly ProblemCode[]): string =>
  [
    `${status === 'default' ? 'What any call may meet' : STATUS_CODES[status]}:`,
    '',
    ...ofStatus.map((code) => {
      const { status: own, title } = problems[code];
      return `- \`${sentCode(code)}\`${status === 'default' ? ` (${own})` : ''}: ${title}`;
    }),
  ].join('\n');
