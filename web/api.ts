/** The only place that talks to the network. */
import type { FieldError, ProblemBody } from '../contract/problem.ts';
import { nextPage } from './next-page.ts';
import { store } from './store.ts';

const answerTimeoutMs = 30_000;

/** A large picture over a slow line takes its time. */
const uploadTimeoutMs = 120_000;

/** The origin of the store's calls, the spec's {host}. */
export const apiOrigin = new URL(store.apiHost || '/', window.location.origin).origin;

/** An answer that says no, in the store's own words (RFC 9457). */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  readonly code: string;
  readonly errors: readonly FieldError[];
  /** What a `Retry-After` header asked for. */
  readonly retryAfterMs: number | undefined;

  constructor(status: number, body: Partial<ProblemBody>, retryAfterMs?: number) {
    super(body.detail ?? body.title ?? `The store answered ${status}.`);
    this.status = status;
    this.code = body.code ?? 'UNKNOWN';
    this.errors = body.errors ?? [];
    this.retryAfterMs = retryAfterMs;
  }
}

/** Whether asking again may help: no answer at all, too busy, or broken on the other side. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ApiProblem
    ? error.status >= 500 || error.status === 429 || error.status === 408
    : error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError');

/** Whether the store no longer knows who is signed in. */
export const isSessionOver = (error: unknown): boolean => error instanceof ApiProblem && error.status === 401;

const mostRetries = 3;

/** For calls that may be repeated: failures that pass by themselves are tried again a few times. */
export const retryPassing = (failures: number, error: Error): boolean =>
  failures < mostRetries && isPassing(error);

type Question = {
  method?: 'GET' | 'POST' | 'DELETE';
  json?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};

export type Answer<Body> = { body: Body; next: string | undefined };

/**
 * Asks the store and reads its JSON; the server checks every answer against the contract, so `Body` is taken at its
 * word here. Throws {@link ApiProblem} for an answer that is not 2xx, and fetch's own errors where there is none.
 */
export const ask = async <Body>(path: string, question: Question = {}): Promise<Answer<Body>> => {
  const { method = 'GET', json, headers, signal } = question;
  const timeout = AbortSignal.timeout(answerTimeoutMs);
  const response = await fetch(new URL(path, apiOrigin), {
    method,
    credentials: 'include',
    headers: {
      accept: 'application/json',
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  if (!response.ok) throw await problemIn(response);
  const body = response.status === 204 ? undefined : await response.json();
  return { body, next: nextPage(response.headers.get('link'), apiOrigin) };
};

/**
 * Sends a form with a file. Another host gets no cookies of the store's, and what it refuses is a plain error: its 401
 * says nothing about the session here. Throws {@link ApiProblem} where the store refuses.
 */
export const sendForm = async <Body>(address: string, form: FormData, signal: AbortSignal): Promise<Body> => {
  const url = new URL(address, apiOrigin);
  const isOurs = url.origin === apiOrigin;
  const response = await fetch(url, {
    method: 'POST',
    body: form,
    credentials: isOurs ? 'include' : 'omit',
    signal: AbortSignal.any([signal, AbortSignal.timeout(uploadTimeoutMs)]),
  });
  if (!response.ok) {
    throw isOurs ? await problemIn(response) : new Error(`The image host answered ${response.status}.`);
  }
  return response.json();
};

const problemIn = async (response: Response): Promise<ApiProblem> => {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json');
  // A body that was cut off still has a status.
  const body: Partial<ProblemBody> | null = isProblem ? await response.json().catch(() => null) : null;
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10);
  return new ApiProblem(response.status, body ?? {}, Number.isNaN(seconds) ? undefined : seconds * 1000);
};
