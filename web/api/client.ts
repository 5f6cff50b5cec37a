/** The store's calls, and what is wrong with one that fails. */

import { nextPagePath } from '../../contract/next-page.ts';
import type { FieldError, ProblemBody } from '../../contract/problem.ts';
import { abortAfter } from '../memory/platform.ts';
import { storeConfig } from '../store-config.ts';
import { readStoreClock } from './store-clock.ts';

const responseTimeoutMs = 30_000;

/** The origin of the store's calls, the spec's {host}. */
export const apiOrigin =
  import.meta.env.SSR && typeof window === 'undefined'
    ? storeConfig.apiHost
    : new URL(storeConfig.apiHost || '/', window.location.origin).origin;

/** A response of the store that is not 2xx, as a problem document (RFC 9457). `code` is stable. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  readonly code: string;
  readonly errors: readonly FieldError[];
  /** The id by which the store's log names the request. */
  readonly requestId: string | undefined;
  /** The wait that the `Retry-After` header asks for. */
  readonly retryAfterMs: number | undefined;

  constructor(status: number, body: Partial<ProblemBody>, retryAfterMs?: number) {
    super(body.detail ?? body.title ?? `The store answered ${status}.`);
    this.status = status;
    this.code = body.code ?? 'UNKNOWN';
    this.errors = body.errors ?? [];
    this.requestId = body.requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

/** @returns the code of a problem; undefined of another error. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof ApiProblem ? error.code : undefined;

/** @returns what the store says is wrong with this field of a call; undefined for nothing. */
export const fieldErrorIn = (error: unknown, field: string): string | undefined =>
  error instanceof ApiProblem ? error.errors.find((one) => one.field === field)?.message : undefined;

/** @returns true if the same call may succeed later: there was no response, the store is busy, or it failed (5xx). */
export const isTransient = (error: unknown): boolean =>
  error instanceof ApiProblem
    ? error.status >= 500 || error.status === 429 || error.status === 408
    : isUnreachable(error);

/** @returns true if there was no response: the connection failed, or took too long. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError');

export const isRateLimited = (error: unknown): boolean => error instanceof ApiProblem && error.status === 429;

/** @returns true if the store no longer knows the session (401). */
export const isSessionOver = (error: unknown): boolean => error instanceof ApiProblem && error.status === 401;

export const maxRetries = 3;
/** The longest wait before a call is repeated automatically: a visitor waits no longer. */
export const maxRetryDelayMs = 10_000;

/**
 * @returns true if TanStack Query is to retry a call that may be repeated, after this many failures. A store that asks for a longer
 * wait is not called again automatically; the visitor gets a message at once.
 */
export const retryTransient = (failures: number, error: Error): boolean =>
  failures < maxRetries && isTransient(error) && (retryAfterMsOf(error) ?? 0) <= maxRetryDelayMs;

/** @returns how long the store asks to wait; undefined when it does not. */
export const retryAfterMsOf = (error: Error): number | undefined =>
  error instanceof ApiProblem ? error.retryAfterMs : undefined;

type CallOptions = {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  json?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** With `keepalive`, the call goes on when its page is left. Browsers refuse more than 64 KiB of such calls at a time. */
  keepalive?: boolean;
};

/** `next` is the path of the list's next page, when there is one. */
type ApiResponse<Body> = { body: Body; next: string | undefined; headers: Headers };

/**
 * Calls the store and reads its JSON. `Body` is not checked here: the contract gives it its type, and the server's tests
 * hold the responses to the contract.
 * @param path on the API's origin.
 * @throws {ApiProblem} for a status that is not 2xx; fetch's own errors when there is no response within 30 seconds.
 */
export const callApi = async <Body>(path: string, options: CallOptions = {}): Promise<ApiResponse<Body>> => {
  const { json, signal, ...rest } = options;
  const response = await fetch(new URL(path, apiOrigin), {
    ...rest,
    credentials: 'include',
    headers: {
      accept: 'application/json',
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...rest.headers,
    },
    signal: abortAfter(responseTimeoutMs, signal),
    body: JSON.stringify(json),
  });
  const { headers } = response;
  readStoreClock(headers);
  if (!response.ok) throw await readProblem(response);
  const body = response.status === 204 ? undefined : await response.json();
  return { body, next: nextPagePath(headers.get('link'), apiOrigin), headers };
};

export const readProblem = async (response: Response): Promise<ApiProblem> => {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json');
  // The status counts even if the body was cut off.
  const body: Partial<ProblemBody> | null = isProblem ? await response.json().catch(() => null) : null;
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10);
  return new ApiProblem(response.status, body ?? {}, Number.isNaN(seconds) ? undefined : seconds * 1000);
};
