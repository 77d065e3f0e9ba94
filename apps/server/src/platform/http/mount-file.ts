import type { Readable } from 'node:stream';
import type { Operation } from '@heliograph/contract/kernel/operation';
import type { FastifyReply } from 'fastify';
import { keepAllowed } from '../access/keep-allowed.ts';
import { asCaller, type Context } from '../context.ts';
import { BusinessError } from '../errors.ts';
import { type App, baseContext, type Call, callerOf, callOf } from './http.ts';

/**
 * Numbers of recipients and repliers in a file: `none`; those of a file that the person uploaded (`own`); `masked` by
 * the handler for a person without the right; or `whole`, so that such a person does not get the file.
 */
type NumbersInFile = 'none' | 'own' | 'masked' | 'whole';

/** Mounts a download at a path: `handler` answers the stream and its name within the caller's scope. */
export function mountFile<O extends Operation>(
  app: App,
  o: O,
  numbers: NumbersInFile,
  handler: (ctx: Context, call: Call<O>) => Promise<SentFile>,
): void {
  app.server.route({
    method: o.method,
    url: o.path,
    handler: async (request, reply) => {
      const caller = await callerOf(app, request, { ...o, support: 'refused' });
      const call = callOf(o, request, caller);
      if (numbers === 'whole' && !caller.numbers_visible) throw new BusinessError('numbers_hidden');
      const callerNow = keepAllowed(app.sessionWatch, reply, caller, o);
      const file = await asCaller(baseContext(app, request, caller), (ctx) => handler(ctx, call));
      callerNow();
      return sendFile(reply, file);
    },
  });
}

/**
 * File of an answer. If a function opens it, that happens after the call's transaction, because the file may be far
 * away.
 */
interface SentFile {
  stream: Readable | (() => Promise<Readable>);
  name: string;
  type: string;
}

/** Answers a file as an attachment. */
export async function sendFile(reply: FastifyReply, file: SentFile): Promise<FastifyReply> {
  const stream = typeof file.stream === 'function' ? await file.stream() : file.stream;
  const ascii = file.name.replace(/[^\w.-]+/g, '_');
  return reply
    .header('content-type', file.type)
    .header('content-disposition', `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(file.name)}`)
    .send(stream);
}
