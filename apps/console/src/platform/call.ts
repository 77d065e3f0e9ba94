import { refreshTokens } from '@heliograph/contract/identity/session';
import type { Problem } from '@heliograph/contract/kernel/errors';
import type { BodyInput, Operation, ParamsInput, QueryInput, ReplyOf } from '@heliograph/contract/kernel/operation';
import i18next from 'i18next';
import { noAnswer } from './connection.ts';
import { readCookie } from './cookies.ts';
import { keepAsOf } from './figures-as-of.ts';
import { askProof } from './fresh-proof.ts';
import { exitTo } from './navigation.ts';
import { CallError, problemOf } from './problem.ts';
import { keepPlace } from './return-place.ts';
import { clearSession, isSignedOut, keepTokens, useSession } from './session.ts';
import { socketId } from './socket-id.ts';
import { IS_SUPPORT, leaveSupport } from './support-tab.ts';
import { toast } from './toast.ts';

/** Id of the public client that renews tokens; it has no secret. */
const CLIENT_ID = 2;

type Part<K extends string, T> = string extends keyof T
  ? { [P in K]?: never }
  : Record<never, never> extends T
    ? { [P in K]?: T }
    : { [P in K]: T };
export type CallArgs<O extends Operation> = Part<'params', ParamsInput<O>> &
  Part<'query', QueryInput<O>> &
  Part<'body', BodyInput<O>> & { signal?: AbortSignal; ifMatch?: string | undefined };

/** Arguments that any call may carry, for code that treats all operations alike. */
export interface AnyArgs {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  /** Version of the record on which a save is based. */
  ifMatch?: string | undefined;
  signal?: AbortSignal;
}

/**
 * Makes one call of the contract. If the call needs a fresh proof of the user, asks for it and repeats the call. Throws
 * CallError. After a 401 or a 403, the user has already left the screen.
 */
export function call<O extends Operation>(
  operation: O,
  ...[args]: Record<never, never> extends CallArgs<O> ? [CallArgs<O>?] : [CallArgs<O>]
): Promise<ReplyOf<O>> {
  return request(operation, (args ?? {}) as AnyArgs) as Promise<ReplyOf<O>>;
}

/** Makes a call like `call`, but without the types, for code that treats all operations alike. */
export async function request(operation: Operation, args: AnyArgs): Promise<unknown> {
  const response = await send(operation, (token) =>
    fetch(addressOf(operation, args), {
      method: operation.method,
      headers: {
        ...headersFor(token),
        ...(args.body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(args.ifMatch === undefined ? {} : { 'If-Match': `"${args.ifMatch}"` }),
      },
      ...(args.body === undefined ? {} : { body: JSON.stringify(args.body) }),
      ...(args.signal ? { signal: args.signal } : {}),
    }).then(async (answer) => {
      keepAsOf(operation.path, answer.headers);
      return { status: answer.status, body: await answer.text() };
    }),
  );
  return response;
}

/** Uploads one file as multipart, its fields first. Reports the share sent, from 0 to 1. */
export function upload<O extends Operation>(
  operation: O,
  args: {
    params?: ParamsInput<O>;
    query?: QueryInput<O>;
    fields?: Record<string, string>;
    file: File;
    onProgress?: (share: number) => void;
    signal?: AbortSignal;
  },
): Promise<ReplyOf<O>> {
  const once = (token: string | null) =>
    new Promise<Answer>((resolve, reject) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(args.fields ?? {})) form.append(name, value);
      form.append('file', args.file, args.file.name);
      // Fetch cannot report the upload progress.
      const xhr = new XMLHttpRequest();
      xhr.open(operation.method, addressOf(operation, args as Pick<AnyArgs, 'params' | 'query'>));
      for (const [name, value] of Object.entries(headersFor(token))) xhr.setRequestHeader(name, value);
      xhr.upload.onprogress = (event) => event.lengthComputable && args.onProgress?.(event.loaded / event.total);
      xhr.onload = () => resolve({ status: xhr.status, body: xhr.responseText });
      xhr.onerror = () => reject(new TypeError('network'));
      xhr.onabort = () => reject(new DOMException('aborted', 'AbortError'));
      args.signal?.addEventListener('abort', () => xhr.abort(), { once: true });
      xhr.send(form);
    });
  return send(operation, once) as Promise<ReplyOf<O>>;
}

/** Returns the headers of every call. */
export function headersFor(token: string | null): Record<string, string> {
  const xsrf = readCookie('XSRF-TOKEN');
  const socket = socketId();
  return {
    Accept: 'application/json',
    'Accept-Language': document.documentElement.lang,
    'X-Requested-With': 'XMLHttpRequest',
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
    ...(socket ? { 'X-Socket-ID': socket } : {}),
    ...(xsrf ? { 'X-XSRF-TOKEN': xsrf } : {}),
  };
}

interface Answer {
  status: number;
  body: string;
}

async function send(operation: Operation, once: (token: string | null) => Promise<Answer>): Promise<unknown> {
  const withSession = operation.session !== 'public';
  let answer: Answer;
  try {
    answer = withSession ? await withToken(once) : await once(null);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    if (error instanceof CallError) throw error;
    void noAnswer();
    throw new CallError(problemOf(503, 'unavailable'));
  }
  if (answer.status < 400) return answer.body === '' ? {} : JSON.parse(answer.body);
  const problem = parseProblem(answer);
  if (problem.code === 'proof_required') {
    if (await askProof()) return send(operation, once);
    throw new CallError(problem);
  }
  if (withSession) leaveOn(problem);
  throw new CallError(problem);
}

/**
 * Sends a request with the session's token. Renews the token before the request if it has expired, and once more if the
 * server refuses it. Without a session, sends no request and throws CallError `unauthenticated`.
 */
export async function withToken<A extends { status: number }>(once: (token: string) => Promise<A>): Promise<A> {
  const token = await freshToken();
  if (!token) throw new CallError(problemOf(401, 'unauthenticated'));
  const answer = await once(token);
  if (answer.status !== 401 || !(await renew(token))) return answer;
  return await once(useSession.getState().token ?? token);
}

function leaveOn(problem: Problem): void {
  if (IS_SUPPORT && (problem.status === 401 || problem.logout)) leaveSupport(i18next.t('errors.support_session_over'));
  else if (problem.code === 'support_session_reads_only') return;
  else if (problem.status === 401) leaveUnauthorized();
  else if (problem.status === 403) void exitTo(problem.code === 'passkey_needed' ? '/verify-otp' : '/forbidden');
  else if (problem.status === 422 && problem.logout) {
    keepPlace();
    clearSession();
    void toast('error', problem.message);
    void exitTo('/login');
  }
}

/** Leaves on a session that is over: with a notice, or without one if the user signed out, here or in another tab. */
function leaveUnauthorized(): void {
  void useSession.persist.rehydrate();
  if (!isSignedOut()) {
    keepPlace();
    void exitTo('/unauthorized');
  } else if (location.pathname !== '/unauthorized') void exitTo('/login');
}

/** Statuses with which a proxy reports that the platform does not answer. */
const BEHIND_PROXY = [502, 503, 504];

/** Returns the problem that a failed response describes. */
export function parseProblem({ status, body }: Answer): Problem {
  try {
    const problem = JSON.parse(body) as Problem;
    if (problem.code) return { ...problem, status };
  } catch {
    // The body is not the server's own error: a proxy in between answered.
  }
  if (BEHIND_PROXY.includes(status)) return problemOf(status, 'unavailable', 'outages.no_answer');
  return problemOf(status, status === 413 ? 'payload_too_large' : 'internal_error');
}

/** Returns the address of a call, with its parameters. */
export function addressOf(operation: Operation, args: Pick<AnyArgs, 'params' | 'query'>): string {
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(args.params?.[name])));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(args.query ?? {}))
    if (value !== undefined && value !== '') query.set(name, String(value));
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Returns the session's token, renewed if it has expired; null without a session. */
export async function freshToken(): Promise<string | null> {
  await renewWhenEnded();
  return useSession.getState().token;
}

async function renewWhenEnded(): Promise<void> {
  const { token, expires_at } = useSession.getState();
  if (token && expires_at !== null && Date.now() / 1000 > expires_at - 5) await renew(token);
}

let renewing: Promise<boolean> | null = null;

/**
 * Renews the tokens once for all tabs and calls whose tokens have expired. Resolves to false when the session is over.
 */
function renew(stale: string): Promise<boolean> {
  renewing ??= underLock(() => renewNow(stale)).finally(() => {
    renewing = null;
  });
  return renewing;
}

async function underLock(work: () => Promise<boolean>): Promise<boolean> {
  // Web Locks exist only in secure contexts. On plain http, the server's grace period for two tabs covers the
  // difference.
  return navigator.locks ? await navigator.locks.request('refresh', work) : await work();
}

async function renewNow(stale: string): Promise<boolean> {
  await useSession.persist.rehydrate();
  const { token, refresh_token } = useSession.getState();
  if (token !== stale) return token !== null;
  if (!refresh_token) return false;
  const response = await fetch(refreshTokens.path, {
    method: 'POST',
    headers: { ...headersFor(null), 'Content-Type': 'application/json' },
    body: JSON.stringify({
      grant_type: 'refresh_token',
      refresh_token,
      client_id: CLIENT_ID,
      client_secret: '',
      scope: '',
    }),
  });
  if (response.status >= 500)
    throw new CallError(parseProblem({ status: response.status, body: await response.text() }));
  if (!response.ok) return false;
  keepTokens((await response.json()) as ReplyOf<typeof refreshTokens>);
  if (useSession.getState().verify) useSession.setState({ isLoggedIn: true });
  return true;
}
