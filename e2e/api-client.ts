import type { Problem } from '@heliograph/contract/kernel/errors';
import type { Locale } from '@heliograph/contract/kernel/scope';
import { until } from '@heliograph/fault-kit';
import { DEMO_PASSWORD, type House } from './house.ts';

/** Answer of the API: status, content type, and the body, parsed if it is JSON. */
export interface Answer {
  status: number;
  type: string;
  text: string;
  body: Problem & { data: { id: number } & Record<string, unknown> };
}

/** Contents of a call. `body` is sent unchanged if it is text, a form or bytes, else as JSON. */
export interface Sent {
  body?: unknown;
  locale?: Locale;
  headers?: Record<string, string>;
}

export type Client = (method: string, path: string, sent?: Sent) => Promise<Answer>;

/** Makes calls over HTTP with a token, or without one. */
export function clientOf(house: Pick<House, 'url'>, token?: string): Client {
  return async (method, path, { body, locale, headers } = {}) => {
    const raw = typeof body === 'string' || body instanceof FormData;
    const response = await fetch(house.url + path, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(locale && { cookie: `locale=${locale}` }),
        ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: raw ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(120_000),
    });
    const text = await response.text();
    const type = response.headers.get('content-type') ?? '';
    return { status: response.status, type, text, body: type.includes('json') ? JSON.parse(text) : {} };
  };
}

/** Signs in a demo login, or any email address, and returns its token. */
export async function tokenOf(house: Pick<House, 'url'>, who: string): Promise<string> {
  const username = who.includes('@') ? who : `${who}@heliograph.test`;
  const { status, text } = await clientOf(house)('POST', '/api/v1/oauth/token', {
    body: { username, password: DEMO_PASSWORD },
  });
  if (status !== 200) throw new Error(`${username} can not sign in: ${text}`);
  return (JSON.parse(text) as { access_token: string }).access_token;
}

/** Builds a multipart body with one file in it. */
export function fileForm(name: string, content: BlobPart): FormData {
  const form = new FormData();
  form.append('file', new Blob([content]), name);
  return form;
}

/** Reads a resource until `so` accepts it. */
export async function readUntil(ask: () => Promise<Answer>, so: (data: Answer['body']['data']) => boolean) {
  let said = '';
  const look = async () => {
    const { body, text } = await ask();
    said = text;
    return body.data && so(body.data) && body.data;
  };
  return until(`the answer is as awaited (${so})`, look).catch((error) => {
    throw new Error(`${error.message}, but: ${said}`);
  });
}
