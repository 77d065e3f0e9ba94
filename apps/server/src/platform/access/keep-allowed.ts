import type { Operation } from '@heliograph/contract/kernel/operation';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../context.ts';
import { BusinessError } from '../errors.ts';
import type { SessionWatch } from './session-watch.ts';

/**
 * Watches the rights of a call that takes long: a download, an upload, a wait for another server. When they end, the
 * call gets that error, or its answer is cut off, and `cut` is called. The returned function answers the caller with
 * their present rights, and throws once the call is not allowed any more.
 */
export function keepAllowed(
  sessions: SessionWatch | undefined,
  reply: FastifyReply,
  caller: Caller,
  { permission }: Pick<Operation, 'permission'>,
  cut: (error: BusinessError) => void = () => undefined,
): () => Caller {
  let now: Caller | BusinessError = caller;
  const look = (next: Caller | null) => {
    now = refusalOf(next, permission) ?? next!;
    if (!(now instanceof BusinessError)) return;
    cut(now);
    if (reply.raw.headersSent) reply.raw.destroy();
    else if (!reply.sent) void reply.send(now);
  };
  if (sessions && !reply.raw.closed) reply.raw.once('close', sessions.watch(caller.session_id, look));
  return () => {
    if (now instanceof BusinessError) throw now;
    return now;
  };
}

function refusalOf(caller: Caller | null, permission: string | null): BusinessError | undefined {
  if (!caller) return new BusinessError('unauthenticated');
  return permission === null || caller.permissions.has(permission) ? undefined : new BusinessError('forbidden');
}
