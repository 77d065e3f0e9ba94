import type { CustomFetch } from 'openid-client';
import type { ConnectedConfig } from '#platform/config/config';
import { callOnce } from '#platform/outbound/agent';

/** Maximum bytes of an answer of a provider: its description, its keys, its tokens. */
const ANSWER_BYTES = 512 * 1024;

/** Provider did not answer, or its address may not be called. */
export class UnreachableError extends Error {}

/**
 * Makes a `fetch` for addresses of providers, which tenants name: private addresses are refused, redirects are not
 * followed, and a call ends within ten seconds. Throws UnreachableError.
 */
export function guardedFetch(config: Pick<ConnectedConfig, 'PRIVATE_TARGETS'>): CustomFetch {
  return async (url, { method, headers, body }) => {
    const form = body instanceof URLSearchParams;
    const sent = Object.fromEntries(new Headers(headers));
    const answer = await callOnce(
      config,
      {
        method: method === 'POST' ? 'POST' : 'GET',
        url,
        headers: {
          ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
          ...sent,
          'user-agent': 'single-sign-on',
        },
        ...(body != null && { body: form ? body.toString() : String(body) }),
      },
      ANSWER_BYTES,
    );
    if (answer.status === null) throw new UnreachableError(`${new URL(url).host}: ${answer.fault ?? 'unreachable'}`);
    const empty = [204, 205, 304].includes(answer.status);
    return new Response(empty ? null : answer.body, {
      status: answer.status,
      headers: { 'content-type': answer.type || 'application/octet-stream' },
    });
  };
}
