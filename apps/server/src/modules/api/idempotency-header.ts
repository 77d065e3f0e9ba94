import { createHash } from 'node:crypto';
import { IDEMPOTENCY_KEY, type PublicOperation } from '@heliograph/contract/kernel/public-operation';
import type { FastifyRequest } from 'fastify';
import type { Unit } from '#modules/intake';
import { fieldError } from '#platform/errors';

/**
 * The key of idempotency of a request and the hash of what it asks for, where it has one: of the body as it was
 * understood, so that spaces and the order of members make no difference.
 */
export function idempotencyOf(
  request: FastifyRequest,
  { name }: Pick<PublicOperation, 'name'>,
  body: unknown,
): Pick<Unit, 'idempotency'> {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return {};
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) throw fieldError('Idempotency-Key', 'idempotency_key');
  return {
    idempotency: {
      key,
      hash: createHash('sha256')
        .update(`${name} ${JSON.stringify(body)}`)
        .digest(),
    },
  };
}
