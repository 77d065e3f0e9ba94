import type { PublicOperation } from '@heliograph/contract/kernel/public-operation';
import type { FastifyInstance } from 'fastify';
import { byAgents } from '#modules/api';

/** Agent that makes calls: its key, its address and its name. */
export interface Agent {
  bearer: string;
  ip: string;
  name: string;
}

/** Answer of the API. */
export interface ApiAnswer {
  status: number;
  body: Record<string, unknown>;
}

/** Returns a refusal, as the API writes it. */
export const refusal = (status: number, code: string, message: string): ApiAnswer => ({
  status,
  body: { code, message },
});

const namesOf = (schema: unknown) => Object.keys((schema as { shape?: object }).shape ?? {});
const isMissing = (value: unknown) => value === undefined || value === null;
/** A part of a path that a reader of addresses would take for another path. */
const NO_PART = /^\.{0,2}$/;

/**
 * Makes a call of the public API within this process, with the agent's own key and address: the same checks, limits and
 * masks hold as over the network.
 */
export async function callApi(
  server: FastifyInstance,
  { bearer, ip, name }: Agent,
  operation: Pick<PublicOperation, 'method' | 'path' | 'params' | 'query' | 'body'>,
  given: Readonly<Record<string, unknown>>,
  headers: Record<string, string> = {},
): Promise<ApiAnswer> {
  const { method, path, params, query, body } = operation;
  const parts = namesOf(params).map((each) => [each, String(given[each] ?? '')] as const);
  const wrong = parts.find(([, value]) => NO_PART.test(value));
  if (wrong) return refusal(422, 'validation_failed', `Give ${wrong[0]}: the id of a record.`);
  const address = parts.reduce(
    (text, [each, value]) => text.replace(`:${each}`, () => encodeURIComponent(value)),
    path,
  );
  const asked = namesOf(query).flatMap((each) => (isMissing(given[each]) ? [] : [[each, String(given[each])]]));
  const search = new URLSearchParams(asked).toString();
  const request = {
    method,
    url: search === '' ? address : `${address}?${search}`,
    remoteAddress: ip,
    headers: {
      authorization: `Bearer ${bearer}`,
      'user-agent': name,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { payload: JSON.stringify(given['body'] ?? {}) }),
  };
  // The call begins when it is awaited.
  const answer = await byAgents(async () => await server.inject(request));
  return { status: answer.statusCode, body: answer.body === '' ? {} : JSON.parse(answer.body) };
}
