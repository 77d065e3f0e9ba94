import type { PublicOperation } from '@heliograph/contract/kernel/public-operation';
import type { FastifyInstance } from 'fastify';

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

/**
 * Makes a call of the public API within this process, with the agent's own key and address: the same checks, limits and
 * masks hold as over the network.
 */
export async function callApi(
  server: FastifyInstance,
  { bearer, ip, name }: Agent,
  { method, path, params, query }: Pick<PublicOperation, 'method' | 'path' | 'params' | 'query'>,
  given: Readonly<Record<string, unknown>>,
  headers: Record<string, string> = {},
): Promise<ApiAnswer> {
  const namesOf = (schema: unknown) => Object.keys((schema as { shape?: object }).shape ?? {});
  const address = namesOf(params).reduce(
    (text, each) => text.replace(`:${each}`, encodeURIComponent(String(given[each] ?? ''))),
    path,
  );
  const asked = namesOf(query).flatMap((each) =>
    given[each] === undefined || given[each] === null ? [] : [[each, String(given[each])]],
  );
  const search = new URLSearchParams(asked).toString();
  const answer = await server.inject({
    method,
    url: search === '' ? address : `${address}?${search}`,
    remoteAddress: ip,
    headers: { authorization: `Bearer ${bearer}`, 'user-agent': name, ...headers },
    ...(given['body'] !== undefined && { payload: given['body'] as object }),
  });
  return { status: answer.statusCode, body: JSON.parse(answer.body) as Record<string, unknown> };
}
