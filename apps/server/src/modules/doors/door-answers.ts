import type { ErrorCode } from '@heliograph/contract/kernel/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { problemOf } from '#modules/intake';
import type { BusinessError } from '#platform/errors';

/** Number of a key's first characters, which are the user name. */
const NAME_LENGTH = 14;

/**
 * Takes a user name and password for a key: the name is its beginning, the password the key. Counts the call for the key
 * or, if it is not proven, for its address. Throws `too_many_requests`.
 */
export function proveByName(
  server: FastifyInstance,
  request: FastifyRequest,
  { name, key }: { name: string; key: string },
): void {
  request.headers.authorization = key.startsWith(name) && name.length === NAME_LENGTH ? `Bearer ${key}` : '';
  server.callLimits.count(request);
}

/** Codes of callers who are not who they say, or whose key does not open an interface. */
export const DENIALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'unauthenticated',
  'forbidden',
  'scope_missing',
  'address_not_allowed',
  'key_ended',
  'service_account_disabled',
  'key_for_agents',
]);

/** Answers plain text. */
export const plain = (reply: FastifyReply, status: number, text: string): FastifyReply =>
  reply.code(status).type('text/plain; charset=utf-8').send(text);

/** Says in English why a message was refused. */
export function sentenceOf(error: BusinessError): string {
  const { field, detail } = problemOf(error);
  return field === null ? detail : `${field}: ${detail}`;
}
