import * as contract from '@heliograph/contract/api/sandbox';
import { requireNumber } from '#modules/contacts';
import { handsetMessages, handsets, moveTime, replyFrom } from '#modules/sandbox';
import { BusinessError } from '#platform/errors';
import { mountPublicOperation, type ProgramContext, type PublicApi } from './mount-public.ts';

/** Throws `test_key_required` for a live key. */
function requireTest({ is_test }: Pick<ProgramContext, 'is_test'>): void {
  if (!is_test) throw new BusinessError('test_key_required');
}

/** Mounts the calls of the sandbox, which only test keys may make. */
export function sandboxCalls(api: PublicApi): void {
  mountPublicOperation(api, contract.listHandsets, ({ holder, query, read }) =>
    read(async (ctx) => {
      requireTest(ctx);
      return { data: await handsets(ctx.db, holder.caller.corporation_id!, query.limit) };
    }),
  );
  mountPublicOperation(api, contract.listHandsetMessages, ({ holder, query, read }) =>
    read(async (ctx) => {
      requireTest(ctx);
      const number = await requireNumber(ctx, query.number);
      const rows = await handsetMessages(ctx.db, holder.caller.corporation_id!, number, query.limit);
      const visible = ctx.caller.content_visible;
      return { data: rows.map(({ id, text, ...row }) => ({ ...row, id: String(id), text: (visible && text) || '' })) };
    }),
  );
  mountPublicOperation(api, contract.replyFromHandset, ({ holder, body, read }) =>
    read(async (ctx) => {
      requireTest(ctx);
      const number = await requireNumber(ctx, body.from);
      const corporation_id = holder.caller.corporation_id!;
      const { id, ...reply } = await replyFrom(ctx.db, { corporation_id, number, text: body.text });
      return { ...reply, id: String(id), from: number };
    }),
  );
  mountPublicOperation(api, contract.moveSandboxTime, ({ holder, body: { seconds }, read }) =>
    read(async (ctx) => {
      requireTest(ctx);
      return { seconds, ...(await moveTime(ctx.db, holder.caller.corporation_id!, seconds)) };
    }),
  );
}
