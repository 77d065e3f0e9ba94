import * as contract from '@heliograph/contract/api/conversation';
import type { z } from 'zod';
import { changeConversation, conversationPage, findConversation, messagesPage } from '#modules/inbox';
import { type Context, requirePermission } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { mountPublicOperation, type PublicApi } from './mount-public.ts';

type Shown = z.output<(typeof contract.getConversation)['reply']>;
type Row = Awaited<ReturnType<typeof conversationPage>>['data'][number];

const shown = ({ id, oa, number, open, unread, assigned_to, last_at }: Row): Shown => ({
  id: String(id),
  number: oa,
  to: number,
  open,
  unread,
  assigned_to: assigned_to === null ? null : String(assigned_to),
  last_at,
});

/** Conversations are of live messages. For a test key there are none. */
const requireLive = (is_test: boolean) => {
  if (is_test) throw new BusinessError('not_found');
};

/** Turns the refusal of a cursor into that of this API. */
async function withCursor<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof BusinessError && error.code === 'validation_failed') throw new BusinessError('cursor_invalid');
    throw error;
  }
}

/** Mounts the calls about conversations with phones. */
export function conversationRoutes(api: PublicApi): void {
  mountPublicOperation(api, contract.listConversations, ({ query: { state, number, ...page }, read }) =>
    read(async (ctx) => {
      if (ctx.is_test) return { data: [], next_cursor: null, has_more: false };
      const filters = { view: state, ...(number !== undefined && { oa: number }) };
      const { data, ...rest } = await withCursor(() => conversationPage(ctx, { ...page, ...filters }));
      return { data: data.map(shown), ...rest };
    }),
  );
  mountPublicOperation(api, contract.getConversation, ({ params, read }) =>
    read(async (ctx) => {
      requireLive(ctx.is_test);
      return shown(await findConversation(ctx, Number(params.id)));
    }),
  );
  mountPublicOperation(api, contract.listConversationMessages, ({ params, query: { limit, cursor }, read }) =>
    read(async (ctx) => {
      requireLive(ctx.is_test);
      const wanted = { id: Number(params.id), limit, ...(cursor !== undefined && { cursor }) };
      const { data, ...rest } = await withCursor(() => messagesPage(ctx, wanted));
      return { data: data.flatMap(messageOf), ...rest };
    }),
  );
  mountPublicOperation(api, contract.updateConversation, ({ params, body, read }) =>
    read(async (ctx: Context & { is_test: boolean }) => {
      requireLive(ctx.is_test);
      requirePermission(ctx.caller, 'inbox-mark');
      const { open, assigned_to } = body;
      const wanted = {
        ...(open !== undefined && { open }),
        ...(assigned_to !== undefined && { assigned_to: assigned_to === null ? null : Number(assigned_to) }),
      };
      const { data } = await changeConversation(ctx, {
        params: { id: Number(params.id) },
        query: {},
        body: wanted,
      });
      // A person who gives away what only they saw gets no record.
      if (!data) throw new BusinessError('not_found');
      return shown(data);
    }),
  );
}

type Entry = Awaited<ReturnType<typeof messagesPage>>['data'][number];

function messageOf({ id, kind, text, by, is_binary, state, at }: Entry) {
  if (kind !== 'in' && kind !== 'out') return [];
  return [{ id: String(id), direction: kind, text, number: by ?? '', binary: is_binary, status: state, at }];
}
